// What the result of a tool call says about a record.

import type { Fields } from "../select/types.ts";
import { itemsOf, kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import { jsonValue } from "../wire/validate.ts";
import type { McpSource } from "./kinds/mcp.ts";
import { fillText } from "./text-template.ts";
import type { DoubtReason, Observation } from "./types.ts";

/** Reads a result. Never throws. */
export function observeResult(
  source: Pick<McpSource, "answer" | "absentWhen">,
  bytes: Uint8Array,
  result: Span,
  fields: Fields,
): Observation {
  const note = "tools/call";
  const doubt = (reason: DoubtReason, more: string): Observation => ({
    type: "doubt",
    reason,
    note: `${note}, ${more}`,
  });
  if (kindOf(bytes, result) !== "object") return doubt("readback_unconfirmed", "a result that is not an object");
  const member = (name: string): Span | undefined => membersNamed(bytes, result, name)[0];
  const resultType = member("resultType");
  if (member("task") !== undefined || (resultType && stringOf(bytes, resultType) !== "complete")) {
    return doubt("readback_unconfirmed", "a task or a question instead of an answer");
  }
  const text = onlyText(bytes, member("content"));
  const absent = source.absentWhen.some((template) => text !== undefined && fillText(template, fields) === text);
  if (absent) return { type: "missing", note };
  const isError = member("isError");
  if (isError !== undefined && textOf(bytes, isError) !== "false")
    return doubt("readback_unconfirmed", "an error result");
  if (source.answer === "text") {
    if (text === undefined) return doubt("readback_shape_invalid", "not exactly one text");
    return { type: "record", json: JSON.stringify({ text }), note };
  }
  const structured = member("structuredContent");
  if (structured !== undefined && kindOf(bytes, structured) !== "null") {
    return { type: "record", json: textOf(bytes, structured), note };
  }
  if (text === undefined) return doubt("readback_shape_invalid", "neither structuredContent nor exactly one text");
  const json = new TextEncoder().encode(text);
  if (jsonValue(json, 0, json.length) === undefined) return doubt("readback_error", "a text that is not JSON");
  return { type: "record", json: text, note };
}

/** The text of the only content item; undefined when there are several, or another kind of item. */
function onlyText(bytes: Uint8Array, content: Span | undefined): string | undefined {
  if (content === undefined || kindOf(bytes, content) !== "list") return undefined;
  const items = itemsOf(bytes, content);
  const item = items[0];
  if (items.length !== 1 || item === undefined || kindOf(bytes, item) !== "object") return undefined;
  const [type, ...types] = membersNamed(bytes, item, "type");
  const [text, ...texts] = membersNamed(bytes, item, "text");
  if (type === undefined || text === undefined || types.length + texts.length > 0) return undefined;
  return stringOf(bytes, type) === "text" ? stringOf(bytes, text) : undefined;
}
