// `fourgate init`: writes a contract and a scan that proves it, or a draft out of a server's list of tools.

import { existsSync } from "node:fs";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { readContract } from "../core/contract/read.ts";
import type { ContractIssue } from "../core/contract/types.ts";
import { type InitAnswers, problemsOf } from "../core/init/answers.ts";
import { CONTRACT_FILE, documents, SCAN_FILE } from "../core/init/documents.ts";
import { readScan } from "../core/scan/read.ts";
import { contractHost } from "../io/contract-file.ts";
import { programPath } from "../io/program.ts";

export interface InitPlace {
  readonly dir: string;
  readonly force: boolean;
}

/** What was written, or one sentence that says why nothing was. */
export type InitResult =
  | { readonly ok: true; readonly written: readonly string[]; readonly madeAbsolute: boolean }
  | { readonly ok: false; readonly problem: string };

/** Checks the answers and what they make with the real loaders, then writes both files, or none. Starts nothing, asks nothing. */
export async function init(answers: InitAnswers, place: InitPlace): Promise<InitResult> {
  const problems = problemsOf(answers);
  if (problems.length > 0) return { ok: false, problem: problems.join("; ") };
  const scanCommand = answers.command.map(absolute);
  const { contract, scan } = documents(answers, scanCommand);
  const issues = await check(resolve(place.dir), contract, scan);
  if (issues.length > 0) return { ok: false, problem: [...new Set(issues.map(sentence))].join("; ") };
  const files = [
    [CONTRACT_FILE, contract],
    [SCAN_FILE, scan],
  ] as const;
  const problem = await writeAll(place, files);
  if (problem !== undefined) return { ok: false, problem };
  const madeAbsolute = scanCommand.some((part, at) => part !== answers.command[at]);
  return { ok: true, written: files.map(([name]) => join(place.dir, name)), madeAbsolute };
}

/** Everything that the loaders of guard and scan have against the files. */
async function check(folder: string, contract: string, scan: string): Promise<readonly ContractIssue[]> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const contractFile = join(folder, CONTRACT_FILE);
  const read = await readContract(encode(contract), contractHost(contractFile, programPath()));
  if (!read.ok) return read.issues;
  const host = contractHost(join(folder, SCAN_FILE), programPath());
  // The folder of the scan may not be there yet, and the server is to run in it.
  const scanned = await readScan(encode(scan), {
    ...host,
    directory: (path) => resolve(folder, path),
    contract: async () => read,
  });
  return scanned.ok ? [] : scanned.issues;
}

const sentence = ({ place, message }: ContractIssue): string => (place === "" ? message : `${place}: ${message}`);

/** The scan runs the server in its own folder: what is a file here must be found from there. */
function absolute(part: string): string {
  if (isAbsolute(part) || !existsSync(part) || !/[./\\]/.test(part)) return part;
  return resolve(part);
}

/** Writes all files or none. Gives what kept it from that. */
export async function writeAll(
  { dir, force }: InitPlace,
  files: readonly (readonly [name: string, text: string])[],
): Promise<string | undefined> {
  const there = files.filter(([name]) => existsSync(join(dir, name))).map(([name]) => join(dir, name));
  if (there.length > 0 && !force) return `${there.join(" and ")} is there already; --force replaces it`;
  const beside = ([name]: readonly [string, string]) => join(dir, `.${name}.${process.pid}.tmp`);
  try {
    for (const path of there) if ((await stat(path)).isDirectory()) return `${path} is a directory; name another --dir`;
    await mkdir(dir, { recursive: true });
    for (const file of files) await writeFile(beside(file), file[1], { flag: "wx" });
    for (const file of files) await rename(beside(file), join(dir, file[0]));
    return undefined;
  } catch (error) {
    return `${dir} cannot be written: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}`;
  } finally {
    for (const file of files) await rm(beside(file), { force: true }).catch(() => {});
  }
}
