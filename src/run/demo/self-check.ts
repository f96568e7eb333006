// The demo's self-check: compares what was seen in each scene with what the scene says. Pure; what was seen comes from demo.ts.

import type { Ticket } from "./desk.ts";
import { type Scene, TICKET_TITLE } from "./scenes.ts";
import type { Answer } from "./session.ts";

/** What was seen in one scene. */
export interface Seen {
  readonly answer: Answer | undefined;
  readonly exitCode: number | null;
  readonly stored: readonly Ticket[];
  /** Records that the scene left, as mode/status/reason. */
  readonly records: readonly string[];
}

export interface Check {
  readonly facts: number;
  /** One sentence for each fact that was not as told. */
  readonly mismatches: readonly string[];
}

/** Compares one scene with what was seen; `direct` is the answer without fourgate, undefined where that is the scene itself. */
export function checkScene(scene: Scene, seen: Seen, direct: Answer | undefined): Check {
  const facts: [boolean, string][] = [
    [seen.exitCode === 0, "the server side did not end with exit status 0"],
    [seen.answer !== undefined, "the agent got no answer"],
    [
      sameJson(seen.stored, scene.expected.stored ? [{ ticket_id: "T-12", title: TICKET_TITLE }] : []),
      scene.expected.stored ? "the ticket is not in the store" : "there is something in the store",
    ],
    [
      sameJson(seen.records, scene.expected.record === undefined ? [] : [scene.expected.record]),
      `the log holds ${seen.records.join(", ") || "no record"} instead of ${scene.expected.record ?? "no record"}`,
    ],
  ];
  if (seen.answer !== undefined) facts.push(...answerFacts(scene, seen.answer, direct));
  return { facts: facts.length, mismatches: facts.filter(([holds]) => !holds).map(([, problem]) => problem) };
}

function answerFacts(scene: Scene, answer: Answer, direct: Answer | undefined): [boolean, string][] {
  if (direct === undefined) {
    return [
      [sameJson(answer.texts, ["Created ticket T-12"]), "the server did not answer as the story has it"],
      [sameJson(answer.structured, { ticket_id: "T-12", title: TICKET_TITLE }), "the structured answer is another"],
    ];
  }
  if (scene.expected.answer === "unchanged") {
    return [[answer.line === direct.line, "the answer is not byte for byte the server's own"]];
  }
  return [
    [isVerdict(answer.texts[0]), "the answer does not begin with the expected verdict"],
    [sameJson(answer.texts.slice(1), direct.texts), "the server's own text does not follow the verdict unchanged"],
    [sameJson(answer.structured, direct.structured), "the structured answer is not the server's own"],
    [answer.isError === direct.isError, "the error flag is not the server's own"],
  ];
}

function isVerdict(text: string | undefined): boolean {
  const found = /^\[FOURGATE\] (\{.*\})\n(.+)$/s.exec(text ?? "");
  if (found?.[1] === undefined) return false;
  try {
    const expected = {
      kind: "outcome_failed",
      tool: "tickets/create_ticket",
      evidence: { reason_code: "record_missing", checked_fields: ["ticket_id", "title"] },
      recovery: "stop",
    };
    return sameJson(JSON.parse(found[1]), expected);
  } catch {
    return false;
  }
}

/** Equal values, whatever the order of the keys. */
function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
