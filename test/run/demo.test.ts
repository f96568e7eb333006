// The self-check of the demo, fed with scenes that went otherwise than told: it must notice every one of them.

import { describe, expect, test } from "vitest";
import { type Scene, scenes, TICKET_TITLE } from "../../src/run/demo/scenes.ts";
import { checkScene, type Seen } from "../../src/run/demo/self-check.ts";
import type { Answer } from "../../src/run/demo/session.ts";
import { asciiOnly, sceneText } from "../../src/run/demo/story.ts";

const ticket = { ticket_id: "T-12", title: TICKET_TITLE };
const direct: Answer = { line: "{}", texts: ["Created ticket T-12"], structured: ticket, isError: false };
const verdict = `[FOURGATE] ${JSON.stringify({
  kind: "outcome_failed",
  tool: "tickets/create_ticket",
  evidence: { reason_code: "record_missing", checked_fields: ["ticket_id", "title"] },
  recovery: "stop",
})}\nThe ticket is not there.`;
const accused: Answer = { ...direct, line: "{verdict}", texts: [verdict, ...direct.texts] };

/** What is seen when a scene goes as told. */
const good: Seen[] = scenes.map((scene) => ({
  answer: scene.expected.answer === "verdict" ? accused : direct,
  exitCode: 0,
  stored: scene.expected.stored ? [ticket] : [],
  records: scene.expected.record === undefined ? [] : [scene.expected.record],
}));

const mismatches = (index: number, change: Partial<Seen>) =>
  checkScene(scenes[index] as Scene, { ...(good[index] as Seen), ...change }, index === 0 ? undefined : direct)
    .mismatches;

test("five scenes that went as told have no mismatch", () => {
  expect(scenes.flatMap((_, index) => mismatches(index, {}))).toEqual([]);
});

test("the records of the scenes are those of the outcome log, in order", () => {
  expect(scenes.flatMap((scene) => scene.expected.record ?? [])).toEqual([
    "enforce/fail/record_missing",
    "enforce/pass/postcondition_satisfied",
    "shadow/fail/record_missing",
    "enforce/unknown/verifier_error",
  ]);
});

describe("the self-check notices", () => {
  test.each<[string, number, Partial<Seen>]>([
    ["an answer that never came", 0, { answer: undefined }],
    ["another answer of the server", 0, { answer: { ...direct, texts: ["Created ticket T-13"] } }],
    ["a lying server that stored something", 0, { stored: [ticket] }],
    ["a record where there is no fourgate", 0, { records: ["enforce/fail/record_missing"] }],
    ["a verdict that is not there", 1, { answer: direct }],
    [
      "a verdict with another reason",
      1,
      { answer: { ...accused, texts: [verdict.replace("missing", "lost"), ...direct.texts] } },
    ],
    [
      "a verdict with a key too many",
      1,
      { answer: { ...accused, texts: [verdict.replace("{", '{"x":1,'), ...direct.texts] } },
    ],
    [
      "a verdict without a sentence",
      1,
      { answer: { ...accused, texts: [verdict.split("\n")[0] ?? "", ...direct.texts] } },
    ],
    ["a verdict that took the server's text away", 1, { answer: { ...accused, texts: [verdict] } }],
    ["a verdict that changed the structured answer", 1, { answer: { ...accused, structured: undefined } }],
    ["a verdict that changed the error flag", 1, { answer: { ...accused, isError: true } }],
    ["a missing record", 1, { records: [] }],
    ["an honest answer with one byte changed", 2, { answer: { ...direct, line: "{ }" } }],
    ["a ticket that was not stored", 2, { stored: [] }],
    ["a ticket with another title", 2, { stored: [{ ...ticket, title: "x" }] }],
    ["a record too many", 3, { records: ["shadow/fail/record_missing", "shadow/fail/record_missing"] }],
    ["UNKNOWN taken for PASS", 4, { records: ["enforce/pass/postcondition_satisfied"] }],
    ["a guard that did not end well", 4, { exitCode: null }],
  ])("%s", (_, index, change) => {
    expect(mismatches(index, change).length).toBeGreaterThan(0);
  });
});

test("the story is plain: no colour unless asked for, ASCII only, and no line that a terminal would break", () => {
  const plain = { bold: (text: string) => text, good: (text: string) => text, bad: (text: string) => text };
  const texts = scenes.map((scene, index) => sceneText(index + 1, scene, good[index] as Seen, true, plain));
  for (const line of texts.join("\n").split("\n")) {
    expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(line.length).toBeLessThan(100);
  }
  expect(asciiOnly("\u00fc")).toBe("\\u00fc");
});
