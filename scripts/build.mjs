// Builds dist/: generates schemas and validators from their one source, then bundles the program.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generate } from "./generate.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await generate();
await rm("dist", { recursive: true, force: true });
/** HTTP/2 is never spoken here, and Node's own module for it takes longer to load than a read takes. */
const withoutHttp2 = {
  name: "without-http2",
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: 'module.exports = () => { throw new Error("HTTP/2 is left out"); };',
    }));
  },
};
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
  plugins: [withoutHttp2],
  platform: "node",
  target: "node20",
  define: { FOURGATE_VERSION: JSON.stringify(version) },
  chunkNames: "chunk-[hash]",
  banner: { js: "#!/usr/bin/env node" },
  legalComments: "linked",
  logLevel: "warning",
});

// undici is CommonJS and requires Node's own modules, for which an ESM bundle has no `require`: the part that asks for it gets one.
for (const name of await readdir("dist")) {
  const text = await readFile(`dist/${name}`, "utf8");
  if (!text.includes("Dynamic require of")) continue;
  const [first, ...rest] = text.split("\n");
  const made = 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);';
  await writeFile(`dist/${name}`, [first, `${made}${rest.join("\n")}`].join("\n"));
}
