// What the answers to `tools/list` say: which tools only read, and which contracted ones the server does not have.

import { nearestName } from "../contract/nearest.ts";
import { MAX_LIST_PAGES } from "../limits.ts";
import { itemsOf, kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import type { ToolsRequest } from "./calls.ts";
import { only } from "./params.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** The names on the pages before the one that is asked for; undefined when they are not known. */
export function pagesBefore(
  session: Session,
  line: Uint8Array | undefined,
  params: Span | undefined,
): ToolsRequest["names"] {
  const cursors = line && params ? membersNamed(line, params, "cursor") : [];
  if (cursors.length === 0) return line ? new Set() : undefined;
  const cursor = line && cursors.length === 1 ? stringOf(line, cursors[0]!) : undefined;
  const names = cursor === undefined ? undefined : session.listPages.get(cursor);
  if (cursor !== undefined) session.listPages.delete(cursor);
  return names;
}

/** Takes a page of the list. A server that has no list of tools in it says nothing. */
export function learnTools(session: Session, request: ToolsRequest, line: Uint8Array, message: Span, out: Emit): void {
  const result = only(membersNamed(line, message, "result"));
  const tools = result && kindOf(line, result) === "object" ? only(membersNamed(line, result, "tools")) : undefined;
  if (!result || !tools || kindOf(line, tools) !== "list") return;
  const names = new Set(request.names);
  for (const tool of itemsOf(line, tools)) {
    if (kindOf(line, tool) !== "object") continue;
    const name = only(membersNamed(line, tool, "name"));
    const text = name && stringOf(line, name);
    if (text === undefined) continue;
    names.add(text);
    if (readOnly(line, tool)) session.readOnlyTools.add(text);
    else session.readOnlyTools.delete(text);
  }
  if (!request.names) return;
  const cursors = membersNamed(line, result, "nextCursor").filter((cursor) => kindOf(line, cursor) !== "null");
  if (cursors.length === 0) noteMissing(session, names, out);
  else rememberPage(session, stringOf(line, cursors[0]!), names);
}

function readOnly(line: Uint8Array, tool: Span): boolean {
  const annotations = only(membersNamed(line, tool, "annotations"));
  const hint =
    annotations && kindOf(line, annotations) === "object" && only(membersNamed(line, annotations, "readOnlyHint"));
  return hint ? textOf(line, hint) === "true" : false;
}

function rememberPage(session: Session, cursor: string | undefined, names: ReadonlySet<string>): void {
  if (cursor === undefined) return;
  session.listPages.set(cursor, names);
  if (session.listPages.size > MAX_LIST_PAGES) session.listPages.delete(session.listPages.keys().next().value!);
}

/** A contract for a name that is not there guards nothing: said once, and again if a tool vanishes later. */
function noteMissing(session: Session, names: ReadonlySet<string>, out: Emit): void {
  const missing = [...session.options.tools.keys()].filter((tool) => !names.has(tool));
  const fresh = missing.filter((tool) => !session.missingTools.has(tool));
  session.missingTools = new Set(missing);
  if (fresh.length === 0) return;
  const tools = fresh.map((tool) => ({ tool, nearest: nearestTool(tool, [...names]) }));
  out.push({ type: "note", note: { code: "tools_missing", tools } });
}

/** Of short names an end is no sign of anything. */
const endsWith = (name: string, end: string) => end.length > 2 && name.endsWith(end);

/** Clients put prefixes before names; the wire knows the bare one. Else the one that is fewest edits away. */
function nearestTool(tool: string, names: readonly string[]): string | undefined {
  const ends = names.filter((name) => endsWith(tool, name) || endsWith(name, tool));
  return ends.sort((a, b) => b.length - a.length)[0] ?? nearestName(tool, names);
}
