// What of other people's work is in dist/: a bill of materials (CycloneDX) and the licences, from what esbuild really bundled.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The packages whose files stand in the outputs of these metafiles, sorted by name: `{name, version, license, folder}`. */
export function bundledPackages(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const path of Object.keys(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined) folders.add(folder);
      }
    }
  }
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return { name, version, license, folder };
    })
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** A CycloneDX 1.5 document. It holds no time and no number of its own, so that two builds give the same bytes. */
export function billOfMaterials(version, packages) {
  const purl = (name, its) => `pkg:npm/${name.replace("@", "%40")}@${its}`;
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": purl("fourgate", version),
        name: "fourgate",
        version,
        licenses: [{ license: { id: "MIT" } }],
        purl: purl("fourgate", version),
      },
    },
    components: packages.map(({ name, version: its, license }) => ({
      type: "library",
      "bom-ref": purl(name, its),
      name,
      version: its,
      scope: "required",
      licenses: [{ license: { id: license } }],
      purl: purl(name, its),
    })),
    dependencies: [
      { ref: purl("fourgate", version), dependsOn: packages.map(({ name, version: its }) => purl(name, its)) },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The licences of all packages, one after the other. Throws when a package brings none. */
export function licenceTexts(packages) {
  const parts = packages.map(({ name, version, license, folder }) => {
    const file = readdirSync(folder)
      .sort()
      .find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
    if (file === undefined && !existsSync(join(folder, "README.md"))) throw new Error(`${name} brings no licence`);
    const text =
      file === undefined
        ? `Licensed under ${license}; the package brings no text.`
        : readFileSync(join(folder, file), "utf8");
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `fourgate's programs hold code of these packages, each under its own licence.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
