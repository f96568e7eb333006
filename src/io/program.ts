// Where fourgate's own entry file is, for commands that run it again.

import { fileURLToPath } from "node:url";

/** Absolute path of main.cjs: beside this code in the bundle, in dist/ when the source itself is run. */
export function programPath(): string {
  const bundled = !import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(bundled ? "./main.cjs" : "../../dist/main.cjs", import.meta.url));
}
