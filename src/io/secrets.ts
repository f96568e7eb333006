// Credentials that are not in the environment: out of files that only their owner reads, or from programs that print them.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import type { SecretSource } from "../core/contract/types.ts";
import { MAX_SECRET_BYTES, SECRET_COMMAND_MS } from "../core/limits.ts";
import type { Environment } from "./environment.ts";
import { processPlatform } from "./platform.ts";

/** The values by their variable's name, or a sentence on each that could not be had. */
export type Secrets =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Gets every credential, commands side by side and each within SECRET_COMMAND_MS. Never throws; no sentence holds a value. */
export async function gatherSecrets(sources: ReadonlyMap<string, SecretSource>, own: Environment): Promise<Secrets> {
  const got = await Promise.all(
    [...sources].map(async ([name, source]) => {
      const text = source.type === "file" ? fromFile(source.path) : await fromCommand(source.command, own);
      return { name, source, ...("problem" in text ? text : usable(text.bytes)) };
    }),
  );
  const problems = got.flatMap(({ name, source, ...it }) =>
    "problem" in it ? [`${source.type === "file" ? "secret_files" : "secret_command"}["${name}"]: ${it.problem}`] : [],
  );
  if (problems.length > 0) return { ok: false, problems };
  const values: Record<string, string> = Object.create(null);
  for (const one of got) if ("value" in one) values[one.name] = one.value;
  return { ok: true, values };
}

type Got = { readonly bytes: Uint8Array } | { readonly problem: string };

function fromFile(path: string): Got {
  let file: number | undefined;
  try {
    // Opening a pipe would wait for somebody to write to it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const there = fstatSync(file);
    if (!there.isFile()) return { problem: `${path} is no file` };
    if (process.platform !== "win32" && (there.mode & 0o004) !== 0) {
      return { problem: `${path} can be read by every user of this machine; take that away (chmod o-r)` };
    }
    if (there.size > MAX_SECRET_BYTES) return { problem: `${path} is larger than any credential` };
    return { bytes: readFileSync(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: code === "ENOENT" ? `there is no file ${path}` : `${path} cannot be read: ${code}` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What it writes to stderr is not shown: some print there what they should not. */
async function fromCommand(command: readonly string[], own: Environment): Promise<Got> {
  const [{ startVerifier }, { killTree, snapshotDescendants }] = await Promise.all([
    import("./verifier-process.ts"),
    import("./process-tree.ts"),
  ]);
  const env = Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const started = startVerifier({ command, cwd: undefined }, env, processPlatform());
  started.ask("", SECRET_COMMAND_MS);
  const reply = await started.ended;
  if (started.pid !== undefined) await killTree(started.pid, "SIGKILL", await snapshotDescendants(started.pid));
  const how = `${command[0]} `;
  if (reply.ended === "timeout") return { problem: `${how}gave nothing within ${SECRET_COMMAND_MS / 1000} s` };
  if (reply.ended !== "exit") return { problem: `${how}could not be started` };
  if (reply.code !== 0)
    return { problem: `${how}failed with exit status ${reply.code ?? reply.signal}; run it by hand to see why` };
  return { bytes: reply.stdout };
}

/** One line of text; the newline that ends it is not part of it. */
function usable(bytes: Uint8Array): { readonly value: string } | { readonly problem: string } {
  const value = Buffer.from(bytes)
    .toString("utf8")
    .replace(/\r?\n$/, "");
  if (value === "") return { problem: "it is empty" };
  if (/[\0\r\n]/.test(value)) return { problem: "it holds more than one line" };
  return { value };
}
