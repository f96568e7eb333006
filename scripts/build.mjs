// Builds dist/: generates schemas and validators from their one source, then bundles the program.

import { readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generate } from "./generate.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await generate();
await rm("dist", { recursive: true, force: true });
await build({
  // The demo's server is a program of its own, bundled so that the demo needs nothing but the package.
  entryPoints: { main: "src/cli/main.ts", "ticket-server": "examples/servers/tickets/server.mjs" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  // Half the start-up cost of a bundle is reading it; names stay, for the stack traces in bug reports.
  minifyWhitespace: true,
  minifySyntax: true,
  splitting: true,
  format: "esm",
  // yaml's build for Node is CommonJS that requires Node's own modules, which an ESM bundle cannot; the other build is pure.
  alias: { yaml: fileURLToPath(new URL("../node_modules/yaml/browser/index.js", import.meta.url)) },
  platform: "node",
  target: "node20",
  define: { FOURGATE_VERSION: JSON.stringify(version) },
  chunkNames: "chunk-[hash]",
  banner: { js: "#!/usr/bin/env node" },
  legalComments: "linked",
  logLevel: "warning",
});
