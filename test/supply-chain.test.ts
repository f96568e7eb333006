// What users install: where it comes from, what is in it, and that it can be built again.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const locked = Object.entries<Locked>(json("package-lock.json").packages).filter(([path]) => path !== "");

describe("dependencies", () => {
  test("each is locked with a checksum, and comes from whatever registry npm is set to", () => {
    const loose = locked.filter(
      ([, { resolved, integrity }]) => resolved !== undefined || !integrity?.startsWith("sha512-"),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test("users get none: what fourgate needs is in its bundle, and drivers are theirs to add", () => {
    const { dependencies, optionalDependencies, bundleDependencies, peerDependenciesMeta, scripts } =
      json("package.json");
    expect([dependencies, optionalDependencies, bundleDependencies]).toEqual([undefined, undefined, undefined]);
    expect(Object.values(peerDependenciesMeta)).toEqual([{ optional: true }, { optional: true }]);
    const theirs = locked.filter(([, it]) => !it.dev && !it.devOptional && !it.peer && !it.optional);
    expect(theirs).toEqual([]);
    // `prepare` runs for who works on fourgate, not for who installs the package.
    expect(["preinstall", "install", "postinstall"].filter((name) => name in scripts)).toEqual([]);
  });
});

describe("the package", () => {
  const { files, size } = (() => {
    const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" });
    const [{ files, size }] = JSON.parse(packed.stdout);
    return { files: files.map(({ path }: { path: string }) => path) as string[], size: size as number };
  })();

  test("holds the program, its documents and examples, and nothing else", () => {
    const tops = [...new Set(files.map((path) => path.split("/")[0]))].sort();
    expect(tops).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "contracts",
        "dist",
        "docs",
        "examples",
        "man",
        "package.json",
        "schema",
        "verifiers",
      ].sort(),
    );
    expect(
      files.filter((path) => /(?:^|\/)(?:test|node_modules|\.[^/]+)(?:\/|$)|\.(?:map|tgz|log)$/.test(path)),
    ).toEqual([]);
    expect(size).toBeLessThan(1_000_000);
  });

  test("says what of others' work is in it, with their licences", () => {
    expect(files).toEqual(expect.arrayContaining(["dist/sbom.cdx.json", "dist/LICENSES.txt"]));
    const { bomFormat, components, metadata } = json("dist/sbom.cdx.json");
    expect([bomFormat, metadata.component.version]).toEqual(["CycloneDX", json("package.json").version]);
    const licences = readFileSync("dist/LICENSES.txt", "utf8");
    for (const { name, version, licenses, purl } of components) {
      expect([name, version]).toEqual([name, json(join("node_modules", name, "package.json")).version]);
      expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
      expect(["MIT", "ISC", "BSD-3-Clause", "Apache-2.0"]).toContain(licenses[0].license.id);
      expect(licences).toContain(`${name} ${version} (${licenses[0].license.id})`);
    }
    // Those that are known to be inside.
    expect(components.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["yaml", "re2js"]));
  });
});

describe("the build", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "fourgate-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("gives the same bytes in another folder", () => {
    for (const part of readdirSync(".")) {
      if (![".git", "node_modules", "dist", "test"].includes(part))
        cpSync(part, join(folder, part), { recursive: true });
    }
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: folder, encoding: "utf8" });
    expect([built.status, built.stderr]).toEqual([0, ""]);
    const digests = (dist: string) =>
      Object.fromEntries(
        readdirSync(dist).map((name) => [
          name,
          createHash("sha256")
            .update(readFileSync(join(dist, name)))
            .digest("hex"),
        ]),
      );
    expect(digests(join(folder, "dist"))).toEqual(digests("dist"));
  });
});

test("what SECURITY.md and the workflow name is there", () => {
  for (const document of ["SECURITY.md", ".github/workflows/publish.yml"]) {
    const named = readFileSync(document, "utf8").match(/\b(?:test|docs|src|scripts|bench)\/[\w./-]+\.\w+/g) ?? [];
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  }
});
