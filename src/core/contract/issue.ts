// Problems of a contract: from findings at offsets to issues with line and column, sorted and worded for people.

import { MAX_CONTRACT_ISSUES, MAX_SHOWN_NAME_CHARACTERS } from "../limits.ts";
import type { Position } from "./position.ts";
import type { Step } from "./tree.ts";
import type { ContractIssue } from "./types.ts";
import { words } from "./words.ts";

/** What is wrong, in words.ts's words. */
export interface Wording {
  readonly code: string;
  readonly message: string;
}

/** A problem at an offset of the text. */
export interface Finding extends Wording {
  readonly at: number;
  readonly steps?: readonly Step[];
}

/** Sorts findings by position, drops repeats of one place, caps their number and gives each its line and column. */
export function toIssues(
  file: string,
  findings: readonly Finding[],
  position: (offset: number) => Position,
): ContractIssue[] {
  const seen = new Set<string>();
  const distinct = [...findings]
    .sort((a, b) => a.at - b.at)
    .filter((finding) => {
      const key = JSON.stringify([finding.at, finding.code, finding.steps ?? null]);
      return !seen.has(key) && seen.add(key);
    });
  const issues = distinct.slice(0, MAX_CONTRACT_ISSUES).map(({ at, steps, code, message }): ContractIssue => {
    const { line, column } = position(at);
    return { file, line, column, place: placeName(steps ?? []), code, message };
  });
  const hidden = distinct.length - issues.length;
  if (hidden > 0) issues.push({ file, place: "", ...words.more(hidden) });
  return issues;
}

/** One issue as a line for a terminal: `file:line:column: place: what is wrong`, whatever is unknown left out. */
export function formatIssue(issue: ContractIssue): string {
  const where = [visible(issue.file), issue.line, issue.column].filter((part) => part !== undefined).join(":");
  return [where, issue.place, issue.message].filter((part) => part !== "").join(": ");
}

/** The name of a place, like `tools["create_issue"].verifier.command[0]`: names that the user chose are quoted. */
export function placeName(steps: readonly Step[]): string {
  return steps
    .map((step, depth) => {
      if (typeof step === "number") return `[${step}]`;
      const chosen = (depth === 1 && steps[0] === "tools") || (depth === 3 && steps[2] === "extract");
      if (chosen || !/^[$A-Za-z_][$A-Za-z_0-9]{0,63}$/.test(step)) return `[${showName(step)}]`;
      return depth === 0 ? step : `.${step}`;
    })
    .join("");
}

// Control characters, bidirectional marks and lone surrogates could garble a terminal or hide what a name says.
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/** A key name in quotes, unprintable characters escaped, cut at 80 characters. */
export function showName(name: string): string {
  const cut = name.length > MAX_SHOWN_NAME_CHARACTERS ? `${name.slice(0, MAX_SHOWN_NAME_CHARACTERS)}\u2026` : name;
  return `"${visible(cut.replace(/["\\]/g, "\\$&"))}"`;
}

function visible(text: string): string {
  return text.replace(UNSHOWABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
