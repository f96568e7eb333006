// Writes what is made from the contract format's one source: the start-up check as plain code, and the schema for editors.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Loads the TypeScript source of the schema. */
async function loadSchema() {
  const { outputFiles } = await build({
    entryPoints: [inProject("src/core/contract/schema.ts")],
    bundle: true,
    format: "esm",
    write: false,
  });
  const source = Buffer.from(outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${source}`)).contractSchema;
}

/** The text of schema/contract.schema.json. */
export async function schemaText() {
  return `${JSON.stringify(await loadSchema(), null, 2)}\n`;
}

/** The check as a module without imports. `unicode: false` counts UTF-16 units and needs nothing of ajv when it runs. */
async function validatorText() {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    logger: false,
    unicode: false,
    strictTypes: false,
    strictRequired: false,
    code: { source: true, esm: true },
  });
  const code = standaloneCode.default(ajv, ajv.compile(await loadSchema()));
  if (/\brequire\(|^import /m.test(code)) throw new Error("the generated check must stand alone");
  return `// Generated from schema.ts by scripts/generate.mjs; do not edit.\n${code}\n`;
}

/** Writes a file only when its text differs, so that watchers and parallel test runs are not disturbed. */
async function writeChanged(path, text) {
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before !== text) await writeFile(path, text);
}

/** Writes all generated files. */
export async function generate() {
  await writeChanged(inProject("src/core/contract/validate.generated.js"), await validatorText());
  await writeChanged(inProject("schema/contract.schema.json"), await schemaText());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
