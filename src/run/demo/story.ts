// The words of the demo, for a person who knows nothing of MCP. Everything told as seen comes from what was seen.

import { type Scene, scenes } from "./scenes.ts";
import type { Seen } from "./self-check.ts";

/** Wraps text in colour, or leaves it as it is. */
export interface Style {
  bold(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const WIDTH = 78;
const LABEL_WIDTH = 18;

/** The opening: who is who. */
export function introduction(style: Style): string {
  return [
    style.bold("fourgate demo: did it really happen?"),
    "",
    ...wrap(
      "An AI agent asks a program, a server, to create a ticket. The server answers that it did. Tickets are kept at a desk.",
    ),
    ...wrap("Whoever asks the desk knows the truth; the agent only knows what it was told."),
    "",
  ].join("\n");
}

/** One scene with what was seen in it; the moral is told only of a scene that went as told. */
export function sceneText(number: number, scene: Scene, seen: Seen, asTold: boolean, style: Style): string {
  const moral = asTold ? scene.moral : "This scene did not go as it should: see the self-check below.";
  return [
    style.bold(`Scene ${number} of ${scenes.length}: ${scene.title}`),
    ...wrap(scene.setting).map((line) => `  ${line}`),
    ...labelled("the agent is told", toldText(seen)),
    ...labelled(
      "really at the desk",
      seen.stored.map((ticket) => `${ticket.ticket_id} "${ticket.title}"`).join(", ") || "nothing",
    ),
    ...labelled("fourgate", fourgateText(scene, seen), style),
    ...wrap(moral).map((line) => `  ${line}`),
    "",
  ].join("\n");
}

/** Characters beyond ASCII as backslash escapes: old consoles show them, and logs stay readable. */
export function asciiOnly(text: string): string {
  return text.replace(/[^\n\x1b\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function toldText(seen: Seen): string {
  return seen.answer === undefined ? "(no answer came)" : seen.answer.texts.join("\n");
}

function fourgateText(scene: Scene, seen: Seen): string {
  if (scene.mode === undefined) return "not there";
  const [, status, reason] = (seen.records[0] ?? "").split("/");
  if (status === undefined) return "(left no record)";
  return `${status.toUpperCase()} (${reason})`;
}

/** `label  text`, the text wrapped beside its label; a PASS, FAIL or UNKNOWN in front is coloured. */
function labelled(label: string, text: string, style?: Style): string[] {
  const lines = text.split("\n").flatMap((line) => wrap(line, WIDTH - LABEL_WIDTH - 4));
  return lines.map((line, index) => {
    const shown = style === undefined ? line : coloured(line, style);
    return `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}  ${shown}`;
  });
}

function coloured(line: string, style: Style): string {
  return line.replace(/^(PASS|FAIL|UNKNOWN)/, (word) => (word === "PASS" ? style.good(word) : style.bad(word)));
}

function wrap(text: string, width = WIDTH): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((long) => long.match(new RegExp(`.{1,${width}}`, "g")) ?? [""])) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
