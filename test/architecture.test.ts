// docs/architecture.md: imports point one way, and the core stays pure.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".d.ts"),
);

interface Import {
  readonly from: string;
  /** A file under src/, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(src, from), "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\b([^;"]*?)\bfrom "([^"]+)";|^import "([^"]+)";|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements].map(([, names, ...paths]) => {
    const path = paths.find((found) => found !== undefined)!;
    const to = path.startsWith(".") ? relative(src, resolve(src, from, "..", path)) : path;
    return { from, to, typeOnly: /^\s*type\b/.test(names ?? "") };
  });
});

const layerOf = (file: string): string => file.split("/")[0]!;
const inside = (found: Import): boolean => files.includes(found.to) || found.to.includes(".generated.");
const show = (found: Import): string => `${found.from} imports ${found.to}`;

test("the imports are seen", () => {
  expect(imports.length).toBeGreaterThan(200);
  expect(imports.filter((found) => /^src|^\./.test(found.to)).map(show)).toEqual([]);
});

test("imports run cli -> run -> {io, readback, report, clients} -> core", () => {
  const edges = ["io", "readback", "report", "clients"];
  const allowed: Record<string, readonly string[]> = {
    cli: ["cli", "run", "core", ...edges],
    run: ["run", "core", ...edges],
    ...Object.fromEntries(edges.map((edge) => [edge, [edge, "core"]])),
    core: ["core"],
  };
  const wrong = imports.filter((found) => inside(found) && !allowed[layerOf(found.from)]!.includes(layerOf(found.to)));
  expect(wrong.map(show)).toEqual([]);
});

test("the core knows nothing of the system it runs on", () => {
  // Pure packages, each loaded only when a contract or a client's configuration needs it.
  const packages = ["re2js", "toml-eslint-parser", "yaml"];
  const wrong = imports.filter(
    (found) => layerOf(found.from) === "core" && !inside(found) && !packages.includes(found.to),
  );
  expect(wrong.map(show)).toEqual([]);
  const impure = /\b(?:process\.|Date\.now|performance\.|setTimeout|setInterval|console\.|Math\.random|globalThis)/;
  const using = files.filter((file) => file.startsWith("core/") && impure.test(code(file)));
  expect(using).toEqual([]);
});

describe("no circle", () => {
  test("of files", () => {
    expect(
      circle(imports.filter((found) => inside(found) && !found.typeOnly).map(({ from, to }) => [from, to])),
    ).toEqual([]);
  });

  test("of the core's folders", () => {
    const folder = (file: string): string => file.split("/").slice(0, 2).join("/");
    const between = imports
      .filter((found) => layerOf(found.from) === "core" && inside(found) && !found.typeOnly)
      .map(({ from, to }): [string, string] => [folder(from), folder(to)]);
    expect(circle(between.filter(([from, to]) => from !== to))).toEqual([]);
  });
});

test("only cli/main.ts sets the exit status", () => {
  const setting = files.filter((file) => /process\.(?:exit\(|exitCode)/.test(code(file)));
  expect(setting).toEqual(["cli/main.ts"]);
});

function code(file: string): string {
  return readFileSync(join(src, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

/** One circle in a graph, or nothing. */
function circle(edges: readonly (readonly [string, string])[]): string[] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const to of next.get(node) ?? []) {
      const found = visit(to, [...path, node]);
      if (found.length > 0) return found;
    }
    done.add(node);
    return [];
  };
  for (const node of next.keys()) {
    const found = visit(node, []);
    if (found.length > 0) return found;
  }
  return [];
}
