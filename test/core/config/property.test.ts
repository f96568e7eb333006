// Over generated configurations of every format: a wrap touches the entry's command and args alone, and an unwrap takes it back to the byte.

import fc from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { toBytes, toText } from "../../../src/core/config/bytes.ts";
import { applyEdits, type Format, isWrapped, unwrapEntry, wrapEntry } from "../../../src/core/config/change.ts";
import { json } from "../../../src/core/config/json.ts";
import { toml } from "../../../src/core/config/toml.ts";
import type { Entry } from "../../../src/core/config/types.ts";

const GUARD = {
  command: "/opt/node dir/bin/node",
  args: ["/opt/fourgate/dist/main.cjs", "guard", "--contracts", "C:\\contracts\\\u00e9.json", "--server", "files"],
};

/** Parts of a document with their spelling drawn at random. */
const name = fc.oneof(
  fc.constantFrom("files", "a b", "\u00e9\ud83d\ude00", 'q"uote', "dot.ted"),
  fc.string({ minLength: 1 }),
);
const argument = fc.oneof(fc.constantFrom("-y", "--", "guard", "", "C:\\x", "\u00fc\ud83d\ude00"), fc.string());
const program = fc.constantFrom("npx", "/usr/bin/node", "C:\\Program Files\\n.exe", "uvx", "\u00e9\ud83d\ude00");
const server = fc.record({
  name,
  command: program,
  args: fc.option(fc.array(argument, { maxLength: 4 }), { nil: undefined }),
  env: fc.option(fc.dictionary(fc.constantFrom("TOKEN", "A_B", "PATH"), fc.string()), { nil: undefined }),
  order: fc.constantFrom("command first", "args first"),
});
const eol = fc.constantFrom("\n", "\r\n");

/** An endless supply of blanks and spellings for one document. */
const taste = fc.infiniteStream(fc.nat(1000));

type Server = typeof server extends fc.Arbitrary<infer One> ? One : never;

function check(text: string, format: Format, steps: readonly string[], parse: (text: string) => unknown): void {
  const entry = find(text, format, steps);
  const before = parse(text);
  const wrapped = wrapEntry(text, entry, GUARD, format);
  if (!wrapped.ok) throw new Error(`not wrapped: ${JSON.stringify(wrapped.findings)}\n${text}`);

  // Nothing outside the entry's command and args.
  const spans = [entry.command!.value, ...(entry.args ? [entry.args.value] : [])];
  const beside = entry.args ? [] : [entry.command!.at, entry.command!.value.end];
  for (const edit of wrapped.edits) {
    const within = spans.some((span) => span.at <= edit.at && edit.end <= span.end);
    expect(within || (edit.at === edit.end && beside.includes(edit.at))).toBe(true);
  }
  expect(applyEdits(text, wrapped.edits)).toBe(wrapped.text);

  // Another parser sees just the change that was meant.
  const dashes = entry.args ? ["--"] : [];
  const wanted = structuredClone(before);
  const own = steps.reduce((at, step) => (at as Record<string, unknown>)[step], wanted) as Record<string, unknown>;
  const place = typeof own.command === "object" ? (own.command as Record<string, unknown>) : own;
  const key = place === own ? "command" : "path";
  place.args = [...GUARD.args, ...dashes, place[key], ...((place.args as string[]) ?? [])];
  place[key] = GUARD.command;
  expect(parse(wrapped.text)).toEqual(wanted);

  const now = find(wrapped.text, format, steps);
  expect(isWrapped(now)).toBe(true);
  const again = unwrapEntry(wrapped.text, now, format);
  expect(again.ok && again.text).toBe(text);

  // The bytes too, with a BOM and without.
  for (const bytes of [toBytes(text, true), toBytes(text, false)]) {
    const decoded = toText(bytes);
    expect(decoded.ok && decoded.text === text && Buffer.compare(toBytes(decoded.text, decoded.bom), bytes)).toBe(0);
  }
}

function find(text: string, { syntax, containers, disabledBy }: Format, steps: readonly string[]): Entry {
  const read = syntax.read(text, containers, disabledBy);
  if (!read.ok) throw new Error(`not read: ${JSON.stringify(read.findings)}\n${text}`);
  return read.document.entries.find((entry) => JSON.stringify(entry.steps) === JSON.stringify(steps))!;
}

/** Servers with names of their own, and which of them is wrapped. */
const servers = fc
  .uniqueArray(server, { minLength: 1, maxLength: 3, selector: (one) => one.name })
  .filter((all) => !all.some((one) => one.name === "__proto__"));

describe("JSON", () => {
  const shapes = [
    ["mcpServers"],
    ["servers"],
    ["context_servers"],
    ["projects", "/home/u/\u00e9", "mcpServers"],
  ] as const;

  test.each([
    ["plain", false],
    ["with comments and trailing commas", true],
  ])("%s: there and back", (_, relaxed) => {
    fc.assert(
      fc.property(
        servers,
        fc.constantFrom(...shapes),
        eol,
        taste,
        fc.boolean(),
        (all, container, end, draws, nested) => {
          const draw = (most: number) => draws.next().value! % most;
          const text = writeJson(document(all, container, nested), draw, end, relaxed);
          const format = { syntax: json, containers: [container], disabledBy: {} } as const;
          for (const one of all) check(text, format, [...container, one.name], (given) => strictOrNot(given, relaxed));
        },
      ),
      { numRuns: 500 },
    );
  });

  const strictOrNot = (text: string, relaxed: boolean): unknown => {
    if (!relaxed) return JSON.parse(text);
    const errors: unknown[] = [];
    const value = parseJsonc(text, errors as never, { allowTrailingComma: true });
    expect(errors).toEqual([]);
    return value;
  };

  function document(all: readonly Server[], container: readonly string[], nested: boolean): unknown {
    const members = all.map((one): [string, unknown] => {
      const own: [string, unknown][] = [[nested ? "path" : "command", one.command]];
      if (one.args) own.splice(one.order === "args first" ? 0 : 1, 0, ["args", one.args]);
      const start: [string, unknown][] = nested ? [["command", new Map(own)]] : own;
      return [
        one.name,
        new Map([["type", "stdio"], ...start, ...(one.env ? [["env", one.env] as const] : [])] as never),
      ];
    });
    const inner = container.reduceRight<unknown>(
      (value, key) =>
        new Map([
          ["other", [1, null]],
          [key, value],
        ] as never),
      new Map(members),
    );
    return inner;
  }

  /** JSON text with everything that may vary drawn at random. */
  function writeJson(value: unknown, draw: (most: number) => number, end: string, relaxed: boolean): string {
    const gap = () => {
      const comment = relaxed ? ["", " /* c, [ */ ", ` // ] } secret${end}`, ""][draw(4)]! : "";
      return ["", "", " ", end, `${end}    `, `${end}\t`][draw(6)]! + comment;
    };
    const string = (text: string) => {
      const plain = JSON.stringify(text);
      if (draw(4) !== 0) return plain;
      return `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`;
    };
    const list = (items: string[], [open, close]: [string, string]) => {
      const comma = relaxed && items.length > 0 && draw(3) === 0 ? `,${gap()}` : "";
      return open + gap() + items.join(`${gap()},${gap()}`) + gap() + comma + close;
    };
    const write = (given: unknown): string => {
      if (typeof given === "string") return string(given);
      if (Array.isArray(given)) return list(given.map(write), ["[", "]"]);
      if (given === null || typeof given !== "object") return JSON.stringify(given);
      const members = given instanceof Map ? [...given] : Object.entries(given);
      return list(
        members.map(([key, inner]) => `${string(key)}${gap()}:${gap()}${write(inner)}`),
        ["{", "}"],
      );
    };
    return gap() + write(value) + gap();
  }
});

describe("TOML", () => {
  const format = { syntax: toml, containers: [["mcp_servers"]], disabledBy: { key: "enabled" } } as const;
  const shape = fc.constantFrom("table", "dotted", "inline", "one inline", "sub-dotted");

  test("there and back", () => {
    fc.assert(
      fc.property(servers, shape, eol, taste, (all, kind, end, draws) => {
        const draw = (most: number) => draws.next().value! % most;
        const text = writeToml(all, kind, draw, end);
        for (const one of all) check(text, format, ["mcp_servers", one.name], parseToml);
      }),
      { numRuns: 800 },
    );
  });

  function writeToml(all: readonly Server[], kind: string, draw: (most: number) => number, end: string): string {
    const blank = () => ["", " ", "\t", "  "][draw(4)]!;
    const literal = (text: string) => /^[^'\u0000-\u001f\u007f]*$/.test(text) && !/\p{Surrogate}/u.test(text);
    const basic = (text: string) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
    const string = (text: string) => {
      if (literal(text) && draw(3) === 0) return `'${text}'`;
      const spelled = basic(text);
      return draw(4) === 0 && !text.startsWith("\n") ? `""${spelled}""` : spelled;
    };
    const key = (text: string) => {
      if (/^[A-Za-z0-9_-]+$/.test(text) && draw(2) === 0) return text;
      return literal(text) && draw(2) === 0 ? `'${text}'` : basic(text);
    };
    const gap = () => ["", " ", end, `${end}  `, ` # ] "c"${end}\t`][draw(5)]!;
    const list = (items: readonly string[]) => {
      const comma = items.length > 0 && draw(3) === 0 ? `,${gap()}` : "";
      return `[${gap()}${items.map(string).join(`${gap()},${gap()}`)}${gap()}${comma}]`;
    };
    const equals = () => `${blank()}=${blank()}`;
    const inline = (members: readonly (readonly [string, string])[]) =>
      `{${blank()}${members.map(([k, v]) => key(k) + equals() + v).join(`${blank()},${blank()}`)}${blank()}}`;
    const members = ({ command, args, env, order }: Server) => {
      const own: (readonly [string, string])[] = [["command", string(command)]];
      if (args) own.splice(order === "args first" ? 0 : 1, 0, ["args", list(args)]);
      if (env) own.push(["env", inline(Object.entries(env).map(([k, v]) => [k, string(v)]))]);
      return own;
    };
    const lines = (pairs: readonly (readonly [string, string])[], prefix = "") =>
      pairs
        .map(([k, v]) => `${blank()}${prefix}${key(k)}${equals()}${v}${["", " # secret", ""][draw(3)]}${end}`)
        .join(draw(3) === 0 ? end : "");
    const head = `# c${end}model = "m"${end}`;
    const tail = `[other]${end}x = [ 1, { y = 2 } ]${["", end][draw(2)]}`;
    if (kind === "table") {
      return (
        head +
        all.map((one) => `[${key("mcp_servers")}.${blank()}${key(one.name)}]${end}${lines(members(one))}`).join("") +
        tail
      );
    }
    if (kind === "dotted") {
      return (
        head +
        all.map((one) => lines(members(one), `${key("mcp_servers")}.${key(one.name)}${blank()}.`)).join("") +
        tail
      );
    }
    if (kind === "sub-dotted")
      return `${head}[mcp_servers]${end}${all.map((one) => lines(members(one), `${key(one.name)}.`)).join("")}${tail}`;
    const each = all.map((one) => [one.name, inline(members(one))] as const);
    if (kind === "inline") return `${head}[mcp_servers]${end}${lines(each)}${tail}`;
    return `${head}mcp_servers = ${inline(each)}${end}${tail}`;
  }
});
