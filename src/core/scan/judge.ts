// What an answer to a case's call says, judged as the guard judges one, and the fields that are known by then.

import type { ToolContract } from "../contract/types.ts";
import { select } from "../select/select.ts";
import { type AnswerKind, answerKind } from "../session/result.ts";
import type { Span } from "../wire/json.ts";
import { isBlank } from "./record-id.ts";

export type JudgedAnswer =
  /** `input` is what the check is given. */
  | { readonly type: "check"; readonly input: string }
  | { readonly type: "undecidable"; readonly reason: string }
  | Extract<AnswerKind, { readonly type: "task" }>;

/** The fields that the call's arguments give: field -> JSON text. */
export function argumentFields({ extract }: ToolContract, argumentsJson: string): Map<string, string> {
  const bytes = new TextEncoder().encode(argumentsJson);
  const root = { start: 0, end: bytes.length };
  const fields = new Map<string, string>();
  for (const [name, selector] of extract) {
    const text = selector.source === "arguments" ? select(selector, bytes, root) : undefined;
    if (text !== undefined) fields.set(name, text);
  }
  return fields;
}

/** Judges what stands in the members `result` and `error` of `outcome`; what a success says is added to `fields`. */
export function judgeAnswer(
  contract: ToolContract,
  line: Uint8Array,
  outcome: Span,
  fields: Map<string, string>,
): JudgedAnswer {
  const kind = answerKind(line, outcome);
  if (kind.type === "no_success") return { type: "undecidable", reason: "not_success_result" };
  if (kind.type === "task") return kind;
  if (kind.type !== "success") return { type: "undecidable", reason: "deferred" };
  const { extract, recordIdField } = contract;
  for (const [name, selector] of extract) {
    const text = selector.source === "result" ? select(selector, line, outcome) : undefined;
    if (text !== undefined) fields.set(name, text);
  }
  if (recordIdField !== undefined && isBlank(fields.get(recordIdField))) {
    return { type: "undecidable", reason: "success_without_record_id" };
  }
  const members: string[] = [];
  for (const name of extract.keys()) {
    const text = fields.get(name);
    if (text === undefined) return { type: "undecidable", reason: "required_field_missing" };
    members.push(`${JSON.stringify(name)}:${text}`);
  }
  return { type: "check", input: `{${members.join(",")}}` };
}
