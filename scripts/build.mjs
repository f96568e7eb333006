// Builds dist/: generates schemas and validators from their one source, then bundles the program.

import { readFile, rm } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generate } from "./generate.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await generate();
await rm("dist", { recursive: true, force: true });

const options = {
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  // Half the start-up cost of a bundle is reading it; names stay, for the stack traces in bug reports.
  minifyWhitespace: true,
  minifySyntax: true,
  format: "esm",
  // yaml's build for Node is CommonJS that requires Node's own modules, which an ESM bundle cannot; the other build is pure.
  alias: { yaml: fileURLToPath(new URL("../node_modules/yaml/browser/index.js", import.meta.url)) },
  platform: "node",
  // Database drivers are the user's: found where fourgate is installed, when one is needed.
  external: ["pg", "better-sqlite3"],
  target: "node20",
  define: { FOURGATE_VERSION: JSON.stringify(version) },
  chunkNames: "chunk-[hash]",
  legalComments: "linked",
  logLevel: "warning",
};

/** What must start fast, each in one file: twenty chunks take longer to load than a read takes. */
const WHOLE = {
  main: resolve("src/cli/main.ts"),
  guard: resolve("src/cli/guard.ts"),
  session: resolve("src/run/guard/session.ts"),
  scan: resolve("src/cli/scan.ts"),
  verify: resolve("src/cli/verify.ts"),
  reader: resolve("src/run/reader.ts"),
};
/** What they load when it is used and is small enough to be in that file. */
const INSIDE = [resolve("src/readback/http.ts"), resolve("src/readback/graphql.ts")];
/** What else they load, by the name of its own file. */
const apart = {};

/** Leaves to other files of dist/ what is imported later: by name, given the source's path; undefined to bundle it. */
const later = (fileOf) => ({
  name: "later",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
      const file = kind === "dynamic-import" ? fileOf(resolve(resolveDir, path)) : undefined;
      return file === undefined ? undefined : { path: `./${file}.mjs`, external: true };
    });
  },
});
const wholeFile = (source) => Object.keys(WHOLE).find((name) => WHOLE[name] === source);

function ownFile(source) {
  if (INSIDE.includes(source)) return undefined;
  const whole = wholeFile(source);
  if (whole !== undefined) return whole;
  const name = relative("src", source).replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-");
  apart[name] = source;
  return name;
}

await build({
  ...options,
  entryPoints: WHOLE,
  banner: { js: "#!/usr/bin/env node" },
  plugins: [later(ownFile)],
});
await build({
  ...options,
  // The demo's server is a program of its own, bundled so that the demo needs nothing but the package.
  entryPoints: { "ticket-server": "examples/servers/tickets/server.mjs", ...apart },
  splitting: true,
  plugins: [later(wholeFile)],
});
