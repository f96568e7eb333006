// The table of cases of the HTML report, each with its evidence folded under it.

import { showLine, showText } from "./characters.ts";
import { type Html, join, markup, prose } from "./html-text.ts";
import { sortedJson } from "./json-text.ts";
import { MAX_BLOCK_UNITS, MAX_LINE_UNITS, MAX_VALUE_UNITS } from "./limits.ts";
import type { CaseReport, ScanReport } from "./model.ts";
import { readWords } from "./read-words.ts";
import { counted, durationText, reasonWords, statusWord, troubleOf } from "./words.ts";

const line = (text: string): string => showLine(text, MAX_LINE_UNITS);
const value = (text: string): string => showLine(text, MAX_VALUE_UNITS);

export function casesTable(report: ScanReport): Html {
  if (report.cases.length === 0) return markup`<p class="soft">No case was run.</p>`;
  return markup`<table class="cases">
<thead><tr><th scope="col" class="number">#</th><th scope="col">Case</th><th scope="col">Tool</th><th scope="col">Result</th><th scope="col">Reason</th><th scope="col">Read back</th><th scope="col" class="number">Reads</th><th scope="col" class="number">Time</th></tr></thead>
${join(report.cases.map(caseRows))}
</table>`;
}

/** A body for each case, so that it stays together on paper and is a card on a phone. */
function caseRows(one: CaseReport): Html {
  const tool =
    one.tool === null ? markup`<span class="soft">before the cases</span>` : markup`<code>${line(one.tool)}</code>`;
  return markup`<tbody>
<tr><td class="number index">${String(one.index)}</td><th scope="row" class="name">${line(one.name)}</th>${cell("Tool", tool)}${cell("Result", result(one))}${cell("Reason", markup`<code>${line(one.reason_code)}</code>`)}${cell("Read back", readBack(one))}${cell("Reads", markup`${String(one.attempts)}`, "number")}${cell("Time", markup`${durationText(one.duration_ms)}`, "number")}</tr>
${more(one)}</tbody>`;
}

function cell(label: string, content: Html, kind = ""): Html {
  return markup`<td data-label="${label}" class="${content.text === "" ? "empty" : kind}">${content}</td>`;
}

function result(one: CaseReport): Html {
  const trouble = troubleOf(one);
  const kind = trouble === undefined ? "pass" : trouble === "failure" ? "fail" : "doubt";
  const badge = markup`<span class="badge ${kind}">${statusWord(one)}</span>`;
  if (one.expected !== "fail" || one.status === "unknown") return markup`<span>${badge}</span>`;
  const words = one.as_expected ? "as expected" : "FAIL was expected";
  return markup`<span>${badge} <span class="soft">${words}</span></span>`;
}

function readBack(one: CaseReport): Html {
  const words = readWords(one);
  return words === "" ? markup`` : markup`<span>${line(words)}</span>`;
}

/** What is folded under a case: nothing where all is said. */
function more(one: CaseReport): Html {
  const trouble = troubleOf(one) !== undefined;
  const failed = one.cleanup?.status === "failed";
  if (!trouble && !failed && one.evidence === undefined) return markup``;
  const { meaning, remedy } = reasonWords(one.reason_code);
  const { file, line: row, column } = one.place;
  return markup`<tr class="more"><td class="index empty"></td><td colspan="7"><details>
<summary>Evidence</summary>
<div class="body">
<p>${prose(trouble ? `${meaning} ${remedy}` : meaning)}</p>
<p class="soft"><code>${line(file)}:${String(row)}:${String(column)}</code></p>
${failed ? markup`<p>Clean-up failed: <code>${line(one.cleanup?.reason_code ?? "")}</code></p>` : ""}
${mismatches(one)}${steps(one)}${evidence(one)}</div>
</details></td></tr>
`;
}

function mismatches({ mismatched_fields: fields }: CaseReport): Html {
  if (fields.length === 0) return markup``;
  const rows = fields.map(
    ({ path, expected, observed }) =>
      markup`<tr><td><code>${line(path)}</code></td><td><code>${value(expected)}</code></td><td><code>${value(observed)}</code></td></tr>`,
  );
  return markup`<h3>${counted(fields.length, "field is", "fields are")} not as expected</h3>
<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Expected</th><th scope="col">Observed</th></tr></thead>
<tbody>${join(rows)}</tbody></table>
`;
}

function steps({ repro_steps: told = [] }: CaseReport): Html {
  if (told.length === 0) return markup``;
  return markup`<h3>To see it by hand</h3>
<ol>
${join(told.map((step) => markup`<li>${value(step)}</li>`))}
</ol>
`;
}

function evidence({ evidence: seen }: CaseReport): Html {
  if (seen === undefined) return markup``;
  const block = (title: string, part: unknown) =>
    part === null || part === undefined
      ? markup`<h3>${title}</h3>\n<p class="soft">None.</p>\n`
      : markup`<h3>${title}</h3>\n<pre tabindex="0">${showText(sortedJson(part), MAX_BLOCK_UNITS)}</pre>\n`;
  return join([
    block("Request", seen.request),
    block("The tool's answer", seen.tool_response),
    block("Read back", seen.readback),
  ]);
}
