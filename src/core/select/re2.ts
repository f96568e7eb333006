// The engine as a module of ours: what imports it later gets a file of its own in dist/.

export { RE2JS, RE2JSSyntaxException } from "re2js";
