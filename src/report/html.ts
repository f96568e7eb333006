// The report as one page that loads nothing and runs nothing: counts, cases, evidence, what was left behind, the whole report as JSON.

import { createHash } from "node:crypto";
import { showLine, showText } from "./characters.ts";
import { casesTable } from "./html-cases.ts";
import { style } from "./html-style.ts";
import { constant, type Html, join, markup } from "./html-text.ts";
import { sortedJson } from "./json-text.ts";
import { MAX_LINE_UNITS, MAX_PAGE_JSON_UNITS } from "./limits.ts";
import type { Reporter, ScanReport } from "./model.ts";
import { counted, durationText, headline, stoppedSentence, verifiedCases } from "./words.ts";

// Only this style sheet; nothing else of any kind, from anywhere.
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export const html: Reporter = {
  name: "html",
  file: "fourgate-report.html",
  write(report) {
    const title = `fourgate scan: ${headline(report)}`;
    return `<!doctype html>\n${
      markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
${constant(`<style>${style}</style>`)}
</head>
<body>
<main>
<header>
<p class="brand">fourgate scan</p>
<h1>${headline(report)}</h1>
<p class="lead">${lead(report)}</p>
${tiles(report)}
${share(report)}
${stopped(report)}
${about(report)}
</header>
<section>
<h2>Cases</h2>
${casesTable(report)}
</section>
${leftovers(report)}
<section class="whole">
<h2>The whole report</h2>
<details>
<summary>As JSON</summary>
<div class="body"><pre tabindex="0">${showText(sortedJson(report), MAX_PAGE_JSON_UNITS)}</pre></div>
</details>
</section>
<footer>Written by fourgate ${line(report.fourgate)} on ${line(instant(report.generated_at_utc))}. PASS and FAIL are what the system of record said; UNKNOWN is doubt, and never a pass.</footer>
</main>
</body>
</html>
`.text
    }`;
  },
};

const line = (text: string): string => showLine(text, MAX_LINE_UNITS);

/** `2026-11-30T23:50:00.000Z` as a person reads it. */
const instant = (iso: string): string => iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, "$1 $2 UTC");

function lead({ totals, duration_ms }: ScanReport): string {
  const verified = counted(verifiedCases(totals), "case was", "cases were");
  return `${verified} verified against the system of record, ${totals.as_expected} of ${totals.cases} as expected, in ${durationText(duration_ms)}.`;
}

function tiles({ totals }: ScanReport): Html {
  const tile = (kind: string, count: number, words: string) =>
    markup`<li class="${count === 0 ? "zero" : kind}"><b>${String(count)}</b><span>${words}</span></li>`;
  return markup`<ul class="tiles">
${join([
  tile("pass", totals.pass, "PASS"),
  tile("fail", totals.fail, "FAIL"),
  tile("doubt", totals.unknown, "UNKNOWN"),
  tile("plain", totals.as_expected, `of ${totals.cases} as expected`),
  tile("plain", totals.not_run, "not run"),
])}
</ul>`;
}

/** The counts as one bar; the tiles say the same in words. */
function share({ totals }: ScanReport): Html {
  const parts = [
    ["pass", totals.pass],
    ["fail", totals.fail],
    ["doubt", totals.unknown],
    ["none", totals.not_run],
  ] as const;
  const all = parts.reduce((sum, [, count]) => sum + count, 0);
  if (!(all > 0)) return markup``;
  let x = 0;
  const bars = parts
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const bar = markup`<rect class="${kind}" x="${String(x)}" y="0" width="${String(count)}" height="1"/>`;
      x += count;
      return bar;
    });
  return markup`<svg class="share" viewBox="0 0 ${String(all)} 1" preserveAspectRatio="none" aria-hidden="true">${join(bars, "")}</svg>`;
}

function stopped(report: ScanReport): Html {
  const sentence = stoppedSentence(report);
  return sentence === undefined ? markup`` : markup`<p class="note">${line(sentence)}</p>`;
}

function about(report: ScanReport): Html {
  const { server } = report;
  const facts: [string, string][] = [
    ["Scan file", report.scan_file],
    ["Test account", report.test_account],
    ["Server", [server.name, server.version].filter((part) => part !== null).join(" ") || "did not name itself"],
    ["Protocol", server.protocol_version ?? "not agreed"],
    ["Run", report.run_id],
    ["Written", instant(report.generated_at_utc)],
  ];
  return markup`<dl class="about">
${join(facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${line(value)}</dd></div>`))}
</dl>`;
}

function leftovers(report: ScanReport): Html {
  if (report.leftovers.length === 0) return markup``;
  const items = report.leftovers.map(
    ({ tool, case: index, id }) => markup`<li>case ${String(index)}, ${line(tool)}: <code>${line(id)}</code></li>`,
  );
  return markup`<section>
<h2>Left behind</h2>
<p>${counted(items.length, "record that this run created is", "records that this run created are")} still there.</p>
<ul>
${join(items)}
</ul>
</section>`;
}
