// Bundles a small TypeScript program for tests that need it as a process of its own.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Takes a program's name in test/fixtures/io. Gives the path of a file that node runs. */
export async function bundle(name: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "fourgate-")), `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../fixtures/io/${name}.ts`, import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile,
    logLevel: "warning",
  });
  return outfile;
}
