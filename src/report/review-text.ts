// A contract for the person who answers for it: one page a tool.

import type { ToolChange } from "../core/review/change.ts";
import type { Lint } from "../core/review/lint.ts";
import type { ToolPage } from "../core/review/tool-page.ts";
import { ascii, asciiText } from "./characters.ts";
import { painter } from "./text.ts";

export interface Review {
  readonly file: string;
  readonly pages: readonly ToolPage[];
  readonly lints: readonly Lint[];
  /** Against an earlier file, when one was given. */
  readonly changes: readonly ToolChange[] | undefined;
  readonly approval:
    | { readonly type: "holds"; readonly by: string }
    | { readonly type: "none"; readonly problems: readonly string[] };
}

const WIDTH = 96;

/** ASCII: a name in it cannot move a cursor. */
export function reviewText({ file, pages, lints, changes, approval }: Review, color: boolean): string {
  const paint = painter(color);
  const lines: string[] = [];
  if (changes === undefined) {
    for (const { tool, sections } of pages) {
      lines.push(ascii(tool), "=".repeat(ascii(tool).length));
      for (const { title, lines: own } of sections) lines.push(title, ...own.flatMap((line) => bullet("-", line)));
      lines.push("");
    }
  } else {
    lines.push(...changeLines(changes, paint), "");
  }
  lines.push("To look at twice");
  if (lints.length === 0) lines.push("  nothing");
  for (const { tool, text } of lints)
    lines.push(...bullet("!", `${tool === "" ? "" : `${tool}: `}${text}`).map((line) => paint.yellow(line)));
  lines.push("", approvalLine(file, approval));
  return `${lines.join("\n")}\n`;
}

function changeLines(changes: readonly ToolChange[], { red, green, dim }: ReturnType<typeof painter>): string[] {
  if (changes.length === 0) return ["Both mean the same: no call is decided otherwise."];
  return changes.flatMap(({ tool, kind, sections }) => [
    `${ascii(tool)}: ${kind === "added" ? "protected now" : kind === "removed" ? "no longer protected" : "changed"}`,
    ...(kind === "changed" && sections.length === 0
      ? [dim("  in a way that the page does not show; compare the files")]
      : []),
    ...sections.flatMap(({ title, before, now }) => [
      `  ${title}`,
      ...before.flatMap((line) => bullet("-", line)).map((line) => red(`  ${line}`)),
      ...now.flatMap((line) => bullet("+", line)).map((line) => green(`  ${line}`)),
    ]),
  ]);
}

function approvalLine(file: string, approval: Review["approval"]): string {
  if (approval.type === "holds") return `Approved by ${ascii(approval.by)}, as it is.`;
  return `Not approved: ${approval.problems.map((problem) => ascii(problem)).join("; ")}. To approve it: fourgate review ${ascii(file)} --approve --by NAME`;
}

export function reviewJson(review: Review, version: string): string {
  const { file, pages, lints, changes, approval } = review;
  const document = { review_version: 1, fourgate: version, file, tools: pages, findings: lints, changes, approval };
  return asciiText(`${JSON.stringify(document, null, 2)}\n`);
}

/** A sentence behind a mark, wrapped. */
function bullet(mark: string, text: string): string[] {
  const lines: string[] = [];
  for (const word of ascii(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= WIDTH - 4) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, at) => `  ${at === 0 ? mark : " "} ${line}`);
}
