// How a read shows who it is: `token_env`, `auth` and fixed `headers`, checked. The secrets themselves are never here.

import type { Compilation } from "../contract/compile.ts";
import { memberOf, type Node, type Step } from "../contract/tree.ts";
import { words } from "./words.ts";

/** What is sent to prove who asks; `tokenEnv` and `usernameEnv` are names of variables. */
export type Auth =
  | { readonly scheme: "bearer"; readonly tokenEnv: string }
  | { readonly scheme: "header"; readonly tokenEnv: string; readonly header: string; readonly prefix: string }
  | {
      readonly scheme: "basic";
      readonly tokenEnv: string;
      readonly user: { readonly text: string } | { readonly env: string } | "token";
      /** With the token as the user name: the password beside it. */
      readonly password: string;
    };

/** Headers that belong to the connection, not to the question. */
const TRANSPORT = new Set([
  ...["host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade", "te", "trailer"],
  ...["keep-alive", "expect", "proxy-authorization", "proxy-connection", "forwarded", "accept-encoding"],
]);

const CREDENTIAL_WORD = /auth|token|secret|passw|key|cookie|credential|session|signature/i;

/** The credential part of an HTTP read-back. Undefined without one, and when it was refused. */
export function readAuth(node: Node, steps: readonly Step[], { note }: Compilation): Auth | undefined {
  const token = stringIn(node, "token_env");
  const auth = memberOf(node, "auth");
  if (auth === undefined) return token === undefined ? undefined : { scheme: "bearer", tokenEnv: token };
  const here = [...steps, "auth"];
  if (token === undefined) {
    if (memberOf(node, "token_env") === undefined) note(auth.at, here, words.authWithoutToken());
    return undefined;
  }
  const scheme = stringIn(auth, "scheme");
  if (scheme === "bearer") return { scheme, tokenEnv: token };
  if (scheme === "header") {
    const header = stringIn(auth, "header");
    if (header === undefined) return undefined;
    if (TRANSPORT.has(header.toLowerCase()))
      note(memberOf(auth, "header")!.at, [...here, "header"], words.transportHeader());
    return { scheme, tokenEnv: token, header: header.toLowerCase(), prefix: stringIn(auth, "prefix") ?? "" };
  }
  if (scheme !== "basic") return undefined;
  const asUser = stringIn(auth, "token_as") === "username";
  const username = stringIn(auth, "username");
  const usernameEnv = stringIn(auth, "username_env");
  const password = memberOf(auth, "password");
  if (asUser) {
    for (const name of ["username", "username_env"]) {
      const beside = memberOf(auth, name);
      if (beside !== undefined) note(beside.at, [...here, name], words.tokenIsUser());
    }
    return { scheme, tokenEnv: token, user: "token", password: stringIn(auth, "password") ?? "" };
  }
  if (password !== undefined) note(password.at, [...here, "password"], words.passwordBeside());
  if ((username === undefined) === (usernameEnv === undefined)) {
    if (memberOf(auth, "username") === undefined || memberOf(auth, "username_env") !== undefined) {
      note(auth.at, here, words.oneUser());
    }
    return undefined;
  }
  if (usernameEnv === token) note(memberOf(auth, "username_env")!.at, [...here, "username_env"], words.sameVariable());
  return {
    scheme,
    tokenEnv: token,
    user: username === undefined ? { env: usernameEnv! } : { text: username },
    password: "",
  };
}

/** Fixed headers by lower-case name. */
export function readHeaders(
  node: Node,
  steps: readonly Step[],
  auth: Auth | undefined,
  { note }: Compilation,
): Readonly<Record<string, string>> {
  const headers = memberOf(node, "headers");
  const read: Record<string, string> = Object.create(null);
  if (headers?.type !== "object") return read;
  const own = auth?.scheme === "header" ? auth.header : "authorization";
  for (const { key, at, value } of headers.members) {
    const name = key.toLowerCase();
    const here = [...steps, "headers", key];
    if (TRANSPORT.has(name) || name === "user-agent") note(at, here, words.transportHeader());
    else if (name === own || CREDENTIAL_WORD.test(name)) note(at, here, words.secretHeader());
    else if (Object.hasOwn(read, name) && headers.members.filter((member) => member.key === key).length === 1) {
      note(at, here, words.headerTwice());
    }
    if (value.type === "string") read[name] = value.text;
  }
  return read;
}

/** The variables that hold what is secret. */
export function credentialsOf(auth: Auth | undefined): string[] {
  if (auth === undefined) return [];
  const user = auth.scheme === "basic" && typeof auth.user === "object" && "env" in auth.user ? [auth.user.env] : [];
  return [auth.tokenEnv, ...user].sort();
}

function stringIn(node: Node, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.type === "string" ? member.text : undefined;
}
