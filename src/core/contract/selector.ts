// One selector of a contract: its paths, where `parse` may stand, and its pattern.

import { MAX_PATTERN_CHARACTERS } from "../limits.ts";
import { parsePath } from "../select/path.ts";
import type { Path, Selector, TextParse } from "../select/types.ts";
import type { Canonical } from "./canonical.ts";
import type { Compilation, Compiled } from "./compile.ts";
import { offsetInString } from "./position.ts";
import { INTEGER_TOKEN, memberOf, type Node, type Step } from "./tree.ts";
import { words } from "./words.ts";

/** Compiles a selector. Undefined when something is wrong with it; that is noted here or was found by checkStructure. */
export function readSelector(
  node: Node,
  steps: readonly Step[],
  compilation: Compilation,
): Compiled<Selector> | undefined {
  const source = stringIn(node, "source")?.text;
  const path = readPath(node, "path", steps, compilation);
  const parse = stringIn(node, "parse")?.text;
  if (path !== undefined) checkPlace(node, path, steps, compilation);
  const textParse = parse === undefined ? undefined : readParse(parse, node, steps, compilation);
  if ((source !== "arguments" && source !== "result") || path === undefined) return undefined;
  if (parse === undefined) return { spec: { source, path }, canonical: canonicalSelector(source, path) };
  if (textParse === undefined) return undefined;
  return {
    spec: { source, path, parse: textParse.spec },
    canonical: canonicalSelector(source, path, textParse.canonical),
  };
}

function readPath(node: Node, key: string, steps: readonly Step[], { text, note }: Compilation): Path | undefined {
  const written = stringIn(node, key);
  if (written === undefined) return undefined;
  const parsed = parsePath(written.text);
  if (parsed.ok) return parsed.path;
  note(offsetInString(text, written, parsed.at), [...steps, key], words.path(parsed.message));
  return undefined;
}

/** A path that could never find anything is refused: a result's root is the response, a text is below its content. */
function checkPlace(node: Node, path: Path, steps: readonly Step[], { note }: Compilation): void {
  const written = stringIn(node, "path");
  const source = stringIn(node, "source");
  if (written === undefined || source === undefined) return;
  const parse = stringIn(node, "parse");
  if (parse !== undefined) {
    const belowContent = isName(path, 0, "result") && isName(path, 1, "content") && path.length > 2;
    if (source.text !== "result" || !belowContent) note(parse.at, [...steps, "parse"], words.parsePlace());
    else if (path.some((step) => step.type === "each")) note(parse.at, [...steps, "parse"], words.parseEach());
  } else if (source.text === "result" && !isName(path, 0, "result")) {
    note(written.at, [...steps, "path"], words.pathRoot());
  }
}

function isName(path: Path, index: number, name: string): boolean {
  const step = path[index];
  return step?.type === "key" && step.name === name;
}

function readParse(
  parse: string,
  node: Node,
  steps: readonly Step[],
  compilation: Compilation,
): Compiled<TextParse> | undefined {
  if (parse === "embedded_json") {
    const field = readPath(node, "field", steps, compilation);
    if (field === undefined) return undefined;
    if (field.length === 0) {
      compilation.note(memberOf(node, "field")!.at, [...steps, "field"], words.fieldWhole());
      return undefined;
    }
    return {
      spec: { type: "embedded_json", field },
      canonical: canonicalObject({ parse, field: canonicalPath(field) }),
    };
  }
  return parse === "regex" ? readPattern(node, steps, compilation) : undefined;
}

function readPattern(
  node: Node,
  steps: readonly Step[],
  { compilePattern, note }: Compilation,
): Compiled<TextParse> | undefined {
  const pattern = stringIn(node, "pattern");
  const group = readGroup(node);
  if (pattern === undefined || group === undefined || compilePattern === undefined) return undefined;
  if (pattern.text === "" || pattern.text.length > MAX_PATTERN_CHARACTERS) return undefined;
  const compiled = compilePattern(pattern.text, group);
  if (compiled.ok) {
    return {
      spec: { type: "regex", match: compiled.match },
      canonical: canonicalObject({ parse: "regex", pattern: pattern.text, group }),
    };
  }
  if (compiled.fault === "pattern") note(pattern.at, [...steps, "pattern"], words.pattern(compiled.message));
  else note((memberOf(node, "group") ?? pattern).at, [...steps, "group"], words.noGroup());
  return undefined;
}

/** The group, 1 when not given; undefined when checkStructure has refused it. */
function readGroup(node: Node): number | string | undefined {
  const written = memberOf(node, "group");
  if (written === undefined) return 1;
  if (written.type === "string" && written.text !== "") return written.text;
  if (written.type === "number" && INTEGER_TOKEN.test(written.token) && Number(written.token) >= 1) {
    return Number(written.token);
  }
  return undefined;
}

function stringIn(node: Node, key: string): (Node & { type: "string" }) | undefined {
  const member = memberOf(node, key);
  return member?.type === "string" ? member : undefined;
}

function canonicalSelector(source: string, path: Path, parse?: Canonical): Canonical {
  return canonicalObject({ source, path: canonicalPath(path), parse });
}

function canonicalObject(members: Record<string, Canonical>): Canonical {
  return new Map(Object.entries(members));
}

/** Each step as one text, so that a path means the same whichever way it is written. */
function canonicalPath(path: Path): Canonical {
  return path.map((step) => {
    if (step.type === "each") return ["each"];
    if (step.type === "index") return ["index", step.index];
    return [step.type, step.name];
  });
}
