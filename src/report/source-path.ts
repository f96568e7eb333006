// Where a case is written, as CI services want it: relative to the repository, forward slashes, never a path of this machine.

import type { ReportContext } from "./model.ts";

/** The path from the repository's root (or the folder that we run in, outside CI); of a file elsewhere only its name. */
export function sourcePath(file: string, { env, cwd = env.PWD }: ReportContext): string {
  const given = slashes(file);
  const here = cwd === undefined ? undefined : slashes(cwd);
  const root = slashes(env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR || here || "");
  const full = isAbsolute(given) || here === undefined ? given : `${here}/${given}`;
  return below(root, full) ?? below(here ?? "", full) ?? inside(given) ?? lastStep(given);
}

/** The same as a relative URI: a space or a colon in a name is encoded. */
export function sourceUri(file: string, context: ReportContext): string {
  const path = sourcePath(file, context).replace(/\p{Surrogate}/gu, "\ufffd");
  return path.split("/").map(encodeURIComponent).join("/");
}

const slashes = (path: string): string => path.replaceAll("\\", "/");
const isAbsolute = (path: string): boolean => /^([A-Za-z]:)?\//.test(path);

/** The steps of a path without `.` and `..`; undefined where `..` leads out of it. */
function steps(path: string): string[] | undefined {
  const kept: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") kept.push(step);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept;
}

function below(root: string, path: string): string | undefined {
  if (!isAbsolute(root) || !isAbsolute(path)) return undefined;
  const [from, to] = [steps(root), steps(path)];
  if (!from || !to || to.length <= from.length) return undefined;
  return from.every((step, at) => step === to[at]) ? to.slice(from.length).join("/") : undefined;
}

/** A report without any place would be refused as a whole. */
function lastStep(path: string): string {
  return path.split("/").findLast((step) => !["", ".", ".."].includes(step)) ?? "unknown";
}

function inside(path: string): string | undefined {
  return isAbsolute(path) ? undefined : steps(path)?.join("/") || undefined;
}
