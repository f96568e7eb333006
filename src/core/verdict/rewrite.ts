// Puts a verdict before a tool's own content, as edits to the bytes of the answer; nothing is parsed and written anew.

import { MAX_QUOTED_TEXT_CHARACTERS } from "../limits.ts";
import type { Edit } from "../wire/edit.ts";
import { afterSpace, eachMember, itemsOf, kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import { type Verdict, verdictItem } from "./wording.ts";

const encoder = new TextEncoder();

/** Inserts the verdict as the first item of `result.content` (docs/verdicts.md). `content` must be a list. */
export function prependVerdict(bytes: Uint8Array, content: Span, verdict: Verdict): Edit[] {
  return [insertItem(bytes, content, verdictItem(verdict))];
}

/**
 * The shape for clients that hide text beside `structuredContent`: `isError` true, `structuredContent` taken out, and in
 * the first item also a bounded copy of what the tool said. The original items stay behind it.
 */
export function errorVerdict(bytes: Uint8Array, result: Span, content: Span, verdict: Verdict): Edit[] {
  const structured = membersNamed(bytes, result, "structuredContent")[0];
  const edits = [insertItem(bytes, content, verdictItem(verdict, toolText(bytes, content, structured)))];
  edits.push(...withoutMember(bytes, result, "structuredContent"));
  const flags = membersNamed(bytes, result, "isError");
  for (const flag of flags) {
    edits.push({ at: flag.start, remove: flag.end - flag.start, insert: encoder.encode("true") });
  }
  // `content` is a member, so the new one is always followed by another.
  if (flags.length === 0) edits.push({ at: result.start + 1, remove: 0, insert: encoder.encode('"isError":true,') });
  return edits;
}

function insertItem(bytes: Uint8Array, list: Span, item: string): Edit {
  const empty = bytes[afterSpace(bytes, list.start + 1)] === 0x5d;
  return { at: list.start + 1, remove: 0, insert: encoder.encode(empty ? item : `${item},`) };
}

/** The tool's first texts, or its structured content, cut to a few KiB. */
function toolText(bytes: Uint8Array, content: Span, structured: Span | undefined): string {
  let text = "";
  for (const item of itemsOf(bytes, content)) {
    if (text.length > MAX_QUOTED_TEXT_CHARACTERS) break;
    const part = kindOf(bytes, item) === "object" ? membersNamed(bytes, item, "text")[0] : undefined;
    if (part) text += `${text === "" ? "" : "\n"}${stringOf(bytes, part) ?? ""}`;
  }
  if (text === "" && structured) text = textOf(bytes, structured);
  return text.length > MAX_QUOTED_TEXT_CHARACTERS ? `${text.slice(0, MAX_QUOTED_TEXT_CHARACTERS)} [cut]` : text;
}

/** Takes every member of that name out, each with one comma. */
function withoutMember(bytes: Uint8Array, object: Span, name: string): Edit[] {
  const members: { key: Span; value: Span }[] = [];
  eachMember(bytes, object, (key, value) => members.push({ key, value }));
  const doomed = members.map((member) => stringOf(bytes, member.key) === name);
  const lastKept = doomed.lastIndexOf(false);
  const edits: Edit[] = [];
  members.forEach((member, i) => {
    if (!doomed[i]) return;
    const next = members[i + 1];
    const previous = members[i - 1];
    // Before the last member that stays: up to the next key. After it: from the end of the previous value.
    const start = i < lastKept || !previous ? member.key.start : previous.value.end;
    const end = i < lastKept && next ? next.key.start : member.value.end;
    edits.push({ at: start, remove: end - start, insert: new Uint8Array(0) });
  });
  return edits;
}
