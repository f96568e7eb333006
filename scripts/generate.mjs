// Writes what is made from one source: of the formats the start-up checks as plain code and the schemas for editors, pages of docs/, the manual.

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The formats that have a schema: where it comes from, what start-up checks (of those that we read), what editors are shown, and what is written. */
const FORMATS = [
  {
    source: "src/core/contract/schema.ts",
    checked: "contractShape",
    shown: ["src/core/readback/contract-schema.ts", "contractSchema"],
    check: "src/core/contract/validate.generated.js",
    schema: "schema/contract.schema.json",
  },
  {
    source: "src/core/readback/schema.ts",
    checked: "readbackShapes",
    shown: ["src/core/readback/schema.ts", "readbackSchema"],
    check: "src/core/readback/validate.generated.js",
    schema: "schema/readback.schema.json",
  },
  {
    source: "src/core/scan/schema.ts",
    checked: "scanShape",
    shown: ["src/core/scan/schema-file.ts", "scanSchema"],
    check: "src/core/scan/validate.generated.js",
    schema: "schema/scan.schema.json",
  },
  {
    shown: ["src/report/schema.ts", "reportSchema"],
    schema: "schema/report.schema.json",
  },
  {
    shown: ["src/report/summary-schema.ts", "summarySchema"],
    schema: "schema/summary.schema.json",
  },
];

/** Loads a TypeScript module. */
async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [inProject(path)],
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["pg", "better-sqlite3"],
    alias: { yaml: inProject("node_modules/yaml/browser/index.js") },
    // What is loaded from a data: URL has no place of its own.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(inProject(path)).href) },
    write: false,
  });
  const source = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${source}`);
}

async function comparatorsPage() {
  const { comparatorsPage: page } = await load("src/core/compare/page.ts");
  const { comparators } = await load("src/core/compare/index.ts");
  const cases = new Map();
  for (const { name } of comparators) {
    cases.set(name, await readFile(inProject(`test/corpus/compare/${name}.json`), "utf8"));
  }
  return page(comparators, (name) => cases.get(name));
}

async function clientsPage() {
  const { clientsPage: page } = await load("src/core/verdict/clients-page.ts");
  const { CLIENT_SIGHTS } = await load("src/core/verdict/client-sights.ts");
  return page(CLIENT_SIGHTS);
}

/** The option tables are where the commands are, so this loads the whole program, without running it. */
async function manual() {
  const { manualPage: page, loadPages } = await load("src/cli/manual/index.ts");
  const { version } = JSON.parse(await readFile(inProject("package.json"), "utf8"));
  return page(await loadPages(), version);
}

/** The check as a module without imports; of several schemas by name, one export each. `unicode: false` counts UTF-16 units and needs nothing of ajv when it runs. */
function validatorText(checked) {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    logger: false,
    unicode: false,
    strictTypes: false,
    strictRequired: false,
    code: { source: true, esm: true },
  });
  const single = "type" in checked && typeof checked.type === "string";
  if (!single) for (const [name, schema] of Object.entries(checked)) ajv.addSchema(withoutNotes(schema), name);
  const names = Object.fromEntries(Object.keys(checked).map((name) => [name, name]));
  const code = standaloneCode.default(ajv, single ? ajv.compile(withoutNotes(checked)) : names);
  if (/\brequire\(|^import /m.test(code)) throw new Error("the generated check must stand alone");
  return `// Generated from schema.ts by scripts/generate.mjs; do not edit.\n${code}\n`;
}

/** A schema without what only editors show, which would be loaded at each start. */
function withoutNotes(schema) {
  if (Array.isArray(schema)) return schema.map(withoutNotes);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !["title", "description", "examples", "default"].includes(key));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key !== "properties") return [key, withoutNotes(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutNotes(part)]))];
    }),
  );
}

/** Writes a file only when its text differs, so that watchers and parallel test runs are not disturbed. */
async function writeChanged(path, text) {
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before !== text) await writeFile(path, text);
}

/** Writes all generated files. */
export async function generate() {
  for (const format of FORMATS) {
    const [source, name] = format.shown;
    const { [name]: shown } = await load(source);
    if (format.check !== undefined) {
      const { [format.checked]: checked } = await load(format.source);
      await writeChanged(inProject(format.check), validatorText(checked));
    }
    await writeChanged(inProject(format.schema), `${JSON.stringify(shown, null, 2)}\n`);
  }
  await writeChanged(inProject("docs/clients.md"), await clientsPage());
  await mkdir(inProject("man"), { recursive: true });
  await writeChanged(inProject("man/fourgate.1"), await manual());
  // A published package has no tests, and its page needs no making.
  if (existsSync(inProject("test/corpus/compare"))) {
    await writeChanged(inProject("docs/comparators.md"), await comparatorsPage());
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
