// Checks what the schema of a read-back cannot say and makes the plain value that the rest of the program works with.

import type { Canonical } from "../contract/canonical.ts";
import type { Compilation, Compiled } from "../contract/compile.ts";
import { showName } from "../contract/issue.ts";
import { nearestName } from "../contract/nearest.ts";
import { INTEGER_TOKEN, memberOf, type Node, type Step } from "../contract/tree.ts";
import { DEFAULT_READBACK_ATTEMPTS, DEFAULT_READBACK_INTERVAL_MS, DEFAULT_READBACK_TIMEOUT_MS } from "../limits.ts";
import { jsonOf, readExpectations, readPathAt } from "./expected.ts";
import { kindNamed } from "./kinds/index.ts";
import type { FieldUse } from "./kinds/kind.ts";
import type { Expectation, Find, Readback } from "./types.ts";
import { words } from "./words.ts";

/**
 * Compiles a read-back. `fields` are the extracted names, undefined where they are not known (a file for `verify`).
 * Undefined when something is wrong with it; that is noted, or was found by checkStructure.
 */
export function compileReadback(
  node: Node | undefined,
  steps: readonly Step[],
  fields: readonly string[] | undefined,
  compilation: Compilation,
): Compiled<Readback> | undefined {
  const type = node && memberOf(node, "type");
  const kind = type?.type === "string" ? kindNamed(type.text) : undefined;
  if (node === undefined || kind === undefined) return undefined;
  const { note } = compilation;
  const uses: FieldUse[] = [];
  const source = kind.compile(node, steps, compilation);
  uses.push(...(source?.uses ?? []));

  const absent = stringIn(node, "expect") === "absent";
  const expected = readExpectations(
    memberOf(node, "expected_fields"),
    [...steps, "expected_fields"],
    compilation,
    uses,
  );
  const groups: (readonly Expectation[])[] = expected.map((one) => [one]);
  const anyOf = memberOf(node, "any_of");
  if (anyOf?.type === "list") {
    anyOf.items.forEach((item, index) => {
      groups.push(readExpectations(item, [...steps, "any_of", index], compilation, uses));
    });
  }
  const given = memberOf(node, "expected_fields") !== undefined || anyOf !== undefined;
  if (!given && !absent && !kind.existenceIsEnough) {
    note(node.at, [...steps, "expected_fields"], words.nothingExpected());
  }
  const find = readFind(node, steps, compilation, uses);
  const tombstone = readTombstone(node, steps, compilation);
  for (const use of uses) {
    if (fields === undefined || fields.includes(use.name)) continue;
    const nearest = nearestName(use.name, fields);
    note(use.at, use.steps, words.unknownField(nearest === undefined ? undefined : showName(nearest)));
  }
  if (source === undefined) return undefined;
  const spec: Readback = {
    source: source.source,
    expect: absent ? "absent" : "present",
    expected: groups,
    ...(find && { find }),
    ...(tombstone && { tombstone }),
    attempts: integerIn(node, "attempts") ?? DEFAULT_READBACK_ATTEMPTS,
    intervalMs: integerIn(node, "interval_ms") ?? DEFAULT_READBACK_INTERVAL_MS,
    timeoutMs: integerIn(node, "timeout_ms") ?? DEFAULT_READBACK_TIMEOUT_MS,
    settleMs: integerIn(node, "settle_ms") ?? 0,
    credentials: [...new Set(source.credentials)].sort(),
    environment: [...new Set(source.environment ?? [])].sort(),
  };
  return { spec, canonical: toCanonical({ ...spec, source: source.canonical ?? spec.source }) };
}

/** The reasons that a read-back can fail for. */
export function failureReasons({ expect }: Pick<Readback, "expect">): readonly string[] {
  return expect === "absent" ? ["record_present"] : ["field_mismatch", "record_missing"];
}

function readFind(node: Node, steps: readonly Step[], compilation: Compilation, uses: FieldUse[]): Find | undefined {
  const find = memberOf(node, "find");
  if (find === undefined) return undefined;
  const here = [...steps, "find"];
  const list = readPathAt(memberOf(find, "in"), [...here, "in"], compilation);
  const where = readExpectations(memberOf(find, "where"), [...here, "where"], compilation, uses);
  const complete = memberOf(find, "complete");
  if (list === undefined) return undefined;
  return { in: list, where, complete: complete?.type === "boolean" && complete.is };
}

function readTombstone(node: Node, steps: readonly Step[], compilation: Compilation): Readback["tombstone"] {
  const tombstone = memberOf(node, "tombstone");
  const equals = tombstone && memberOf(tombstone, "equals");
  if (tombstone === undefined || equals === undefined) return undefined;
  const path = readPathAt(memberOf(tombstone, "path"), [...steps, "tombstone", "path"], compilation);
  const json = jsonOf(equals);
  if (json === undefined) compilation.note(equals.at, [...steps, "tombstone", "equals"], words.notJson());
  if (path === undefined || json === undefined) return undefined;
  const only = memberOf(tombstone, "only_when_deleted");
  return { path, json, ...(only?.type === "boolean" && only.is && { onlyWhenDeleted: true as const }) };
}

function stringIn(node: Node, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.type === "string" ? member.text : undefined;
}

function integerIn(node: Node, key: string): number | undefined {
  const member = memberOf(node, key);
  return member?.type === "number" && INTEGER_TOKEN.test(member.token) ? Number(member.token) : undefined;
}

/** The compiled value says all that counts, so its own text is what the digest is made of. */
function toCanonical(value: unknown): Canonical {
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== "object" || value === null) return value as Canonical;
  return new Map(Object.entries(value).map(([name, member]) => [name, toCanonical(member)]));
}
