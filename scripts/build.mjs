// Builds dist/: generates schemas and validators from their one source, then bundles the program.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { billOfMaterials, bundledPackages, licenceTexts } from "./bundled.mjs";
import { generate } from "./generate.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await generate();
await rm("dist", { recursive: true, force: true });

const options = {
  outdir: "dist",
  bundle: true,
  // Half the start-up cost of a bundle is reading it; names stay, for the stack traces in bug reports.
  minifyWhitespace: true,
  minifySyntax: true,
  // yaml's build for Node is CommonJS that requires Node's own modules, which an ESM bundle cannot; the other build is pure.
  alias: { yaml: fileURLToPath(new URL("../node_modules/yaml/browser/index.js", import.meta.url)) },
  platform: "node",
  // Database drivers are the user's: found where fourgate is installed, when one is needed.
  external: ["pg", "better-sqlite3"],
  target: "node20",
  define: { FOURGATE_VERSION: JSON.stringify(version) },
  chunkNames: "chunk-[hash]",
  legalComments: "none",
  metafile: true,
  // The names of chunks come from paths: with links as they are, another folder gives the same names.
  preserveSymlinks: true,
  logLevel: "warning",
};

/**
 * What must start fast, each in one file: twenty chunks take longer to load than a read takes. CommonJS, since Node takes
 * a tenth of its own start to get its loader for modules ready.
 */
const WHOLE = {
  main: resolve("src/cli/main.ts"),
  guard: resolve("src/cli/guard.ts"),
  session: resolve("src/run/guard/session.ts"),
  readbacks: resolve("src/core/readback/part.ts"),
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
      return file === undefined ? undefined : { path: `./${file}`, external: true };
    });
  },
});
function wholeFile(source) {
  const name = Object.keys(WHOLE).find((one) => WHOLE[one] === source);
  return name === undefined ? undefined : `${name}.cjs`;
}

function ownFile(source) {
  if (INSIDE.includes(source)) return undefined;
  const whole = wholeFile(source);
  if (whole !== undefined) return whole;
  const name = relative("src", source).replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-");
  apart[name] = source;
  return `${name}.mjs`;
}

/** What esbuild leaves to Node's loader for modules: one such file loading another, and the address of the file itself. */
function commonJs(text) {
  const body = text.replaceAll(/\bimport\("(\.\/\w+\.cjs)"\)/g, 'Promise.resolve().then(()=>require("$1"))');
  const url = 'const moduleUrl=require("node:url").pathToFileURL(__filename).href;';
  return body.includes("moduleUrl") ? body.replace('"use strict";', (directive) => directive + url) : body;
}

const whole = await build({
  ...options,
  entryPoints: WHOLE,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { ...options.define, "import.meta.url": "moduleUrl" },
  banner: { js: "#!/usr/bin/env node" },
  plugins: [later(ownFile)],
  write: false,
});
await mkdir("dist", { recursive: true });
for (const { path, text } of whole.outputFiles) await writeFile(path, commonJs(text));
// Where the program started before; configurations of clients name it.
await writeFile(join("dist", "main.mjs"), '#!/usr/bin/env node\nimport "./main.cjs";\n');
const rest = await build({
  ...options,
  // The demo's server is a program of its own, bundled so that the demo needs nothing but the package.
  // In an order of their own: they were met in whatever order files were read, and two builds are to give the same bytes.
  entryPoints: Object.fromEntries(
    Object.entries({ ...apart, "ticket-server": "examples/servers/tickets/server.mjs" }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  ),
  format: "esm",
  outExtension: { ".js": ".mjs" },
  splitting: true,
  plugins: [later(wholeFile)],
});
const packages = bundledPackages([whole.metafile, rest.metafile]);
await writeFile(join("dist", "sbom.cdx.json"), billOfMaterials(version, packages));
await writeFile(join("dist", "LICENSES.txt"), licenceTexts(packages));
