// The summary as one page that loads nothing and runs nothing.

import { createHash } from "node:crypto";
import type { Changes } from "../core/summary/change.ts";
import type { Read } from "../core/summary/document.ts";
import { type Figures, OTHERS } from "../core/summary/figures.ts";
import { MAX_SUMMARY_DAYS } from "../core/summary/limits.ts";
import { style as base } from "./html-style.ts";
import { constant, type Html, join, markup, prose } from "./html-text.ts";
import { bar, latencySteps, partsBar, timeBuckets, timeChart } from "./summary-charts.ts";
import { summaryStyle } from "./summary-style.ts";
import { adviceFor, grouped, line, periodLine, sum, withheldSentence } from "./summary-words.ts";

const style = `${base}${summaryStyle}`;
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Rows of a table on the page; `--json` has all. */
const MAX_ROWS = 100;

const LOOK = { pass: "pass", fail: "fail", unknown: "doubt" } as const;

export interface PageAbout {
  readonly version: string;
  readonly nowMs: number;
  /** Paragraphs that stand under the heading. */
  readonly notes?: readonly string[];
}

export function summaryPage(read: Read, about: PageAbout): string {
  const { figures } = read;
  const notes = [...(figures.withheld_verdicts > 0 ? [`${withheldSentence(figures)}.`] : []), ...(about.notes ?? [])];
  return `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>fourgate summary: ${heading(figures)}</title>
${constant(`<style>${style}</style>`)}
</head>
<body>
<main>
<header>
<p class="brand">fourgate summary</p>
<h1>${heading(figures)}</h1>
<p class="lead">${lead(read)}</p>
${join(notes.map((note) => markup`<p class="note">${line(note)}</p>`))}
${tiles(figures)}
</header>
${overTime(figures)}
${byTool(figures)}
${byReason(figures)}
${latency(figures)}
${failures(figures)}
${read.changes === undefined ? markup`` : compared(read.changes)}
<footer>Written by fourgate ${line(about.version)} on ${instant(new Date(about.nowMs).toISOString())}. PASS and FAIL are what the system of record said; UNKNOWN is doubt, and never a pass.</footer>
</main>
</body>
</html>
`.text
  }`;
}

function heading({ totals, calls }: Figures): string {
  if (totals.fail > 0)
    return `${grouped(totals.fail)} of ${many(calls, "protected call", "protected calls")} did not do what was reported`;
  if (totals.pass === calls)
    return calls === 1
      ? "The protected call did what was reported"
      : `All ${grouped(calls)} protected calls did what was reported`;
  if (totals.pass === 0) return `None of ${many(calls, "protected call", "protected calls")} could be verified`;
  return `No failure, and ${many(totals.unknown, "call", "calls")} in doubt`;
}

function lead({ figures, skippedLines, outsidePeriod }: Read): string {
  const skipped = skippedLines > 0 ? ` ${many(skippedLines, "line was", "lines were")} no record and left out.` : "";
  const outside = outsidePeriod > 0 ? ` ${many(outsidePeriod, "record lies", "records lie")} outside the period.` : "";
  return `${many(figures.calls, "call", "calls")} ${periodLine(figures)}; ${named("server", figures.servers)}; ${named("mode", figures.modes)}.${skipped}${outside}`;
}

function named(what: string, names: readonly string[]): string {
  const more = names.length > 8 ? ` and ${names.length - 8} more` : "";
  return `${what}${names.length === 1 ? "" : "s"} ${names.slice(0, 8).map(line).join(", ")}${more}`;
}

const many = (count: number, one: string, more: string): string => `${grouped(count)} ${count === 1 ? one : more}`;

const instant = (iso: string): string => iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, "$1 $2 UTC");

function tiles({ totals, latency }: Figures): Html {
  const tile = (kind: string, count: number, words: string) =>
    markup`<li class="${count === 0 ? "zero" : kind}"><b>${grouped(count)}</b><span>${words}</span></li>`;
  const timed = (ms: number | undefined, words: string) =>
    markup`<li class="plain"><b>${ms === undefined ? "\u2013" : grouped(ms)}</b><span>${words}</span></li>`;
  return markup`<ul class="tiles">
${join([
  tile("pass", totals.pass, "PASS"),
  tile("fail", totals.fail, "FAIL"),
  tile("doubt", totals.unknown, "UNKNOWN"),
  timed(latency?.p50_ms, "ms added, p50"),
  timed(latency?.p95_ms, "ms added, p95"),
])}
</ul>`;
}

const LEGEND = markup`<p class="legend"><span class="pass">PASS</span> <span class="fail">FAIL</span> <span class="doubt">UNKNOWN</span></p>`;

function overTime(figures: Figures): Html {
  const buckets = timeBuckets(figures);
  if (buckets.length === 0) return markup``;
  const most = Math.max(...buckets.map(({ totals }) => sum(totals)));
  const rows = buckets
    .filter(({ totals }) => sum(totals) > 0)
    .map(
      ({ label, totals }) =>
        markup`<tr><th scope="row">${label}</th><td>${grouped(totals.pass)}</td><td>${grouped(totals.fail)}</td><td>${grouped(totals.unknown)}</td></tr>`,
    );
  const last = buckets.length > 1 ? markup`<span>${buckets.at(-1)!.label}</span>` : markup``;
  return markup`<section>
<h2>Over time</h2>
${LEGEND}
<p class="soft top">${grouped(most)} at most</p>
${timeChart(buckets)}
<p class="axis"><span>${buckets[0]!.label}</span>${last}</p>
${undrawn(figures)}
<details><summary>As a table (UTC)</summary><div class="body">
<table class="fields plain"><thead><tr><th scope="col">From</th><th scope="col">PASS</th><th scope="col">FAIL</th><th scope="col">UNKNOWN</th></tr></thead><tbody>
${join(rows)}
</tbody></table></div></details>
</section>`;
}

/** Days past the bound have no place in time any more. */
function undrawn({ by_day }: Figures): Html {
  const others = by_day[OTHERS];
  if (others === undefined) return markup``;
  return markup`<p class="soft">${many(sum(others), "call", "calls")} on days past the ${grouped(MAX_SUMMARY_DAYS)} that are counted each by itself: not drawn.</p>`;
}

function byTool({ by_tool }: Figures): Html {
  const tools = Object.entries(by_tool);
  const most = Math.max(1, ...tools.map(([, totals]) => sum(totals)));
  const rows = tools.slice(0, MAX_ROWS).map(
    ([name, totals]) => markup`<tbody><tr>
<th scope="row" class="name">${line(name)}</th>
<td class="number" data-label="Calls">${grouped(sum(totals))}</td>
<td class="number" data-label="PASS">${grouped(totals.pass)}</td>
<td class="number" data-label="FAIL">${grouped(totals.fail)}</td>
<td class="number" data-label="UNKNOWN">${grouped(totals.unknown)}</td>
<td class="wide">${partsBar(totals, most)}</td>
</tr></tbody>`,
  );
  return markup`<section>
<h2>By tool</h2>
${LEGEND}
<table class="cases"><thead><tr><th scope="col">Server and tool</th><th scope="col" class="number">Calls</th><th scope="col" class="number">PASS</th><th scope="col" class="number">FAIL</th><th scope="col" class="number">UNKNOWN</th><th scope="col" class="wide">Share</th></tr></thead>
${join(rows)}
</table>
${more(tools.length)}
</section>`;
}

function byReason({ reasons }: Figures): Html {
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  const rows = reasons.slice(0, MAX_ROWS).map((one) => {
    const advice = adviceFor(one);
    const words =
      advice === undefined ? markup`` : markup`${prose(advice.meaning)} <strong>${prose(advice.remedy)}</strong>`;
    return markup`<tbody><tr>
<th scope="row" class="name"><span class="badge ${LOOK[one.status]}">${one.status.toUpperCase()}</span> <code>${line(one.reason_code)}</code></th>
<td class="number" data-label="Calls">${grouped(one.count)}</td>
<td class="wide">${bar(one.count, most, LOOK[one.status])}</td>
<td class="advice">${words}</td>
</tr></tbody>`;
  });
  return markup`<section>
<h2>By reason</h2>
<table class="cases"><thead><tr><th scope="col">Reason</th><th scope="col" class="number">Calls</th><th scope="col" class="wide">Share</th><th scope="col">What to do</th></tr></thead>
${join(rows)}
</table>
${more(reasons.length)}
</section>`;
}

function latency(figures: Figures): Html {
  const { latency: found } = figures;
  if (found === null) return markup``;
  const steps = latencySteps(figures);
  const most = Math.max(1, ...steps.map(({ count }) => count));
  const rows = steps.map(
    ({ label, count }) =>
      markup`<tr><th scope="row">${label}</th><td class="wide">${bar(count, most, "neutral")}</td><td class="number">${grouped(count)}</td></tr>`,
  );
  return markup`<section>
<h2>What calls waited for fourgate</h2>
<p>Half of ${many(found.samples, "call", "calls")} waited ${String(found.p50_ms)} ms or less, 95% at most ${String(found.p95_ms)} ms, 99% at most ${String(found.p99_ms)} ms; the longest wait was ${String(found.max_ms)} ms.</p>
<table class="steps"><thead><tr><th scope="col">Added</th><th scope="col" class="wide">Share</th><th scope="col" class="number">Calls</th></tr></thead><tbody>
${join(rows)}
</tbody></table>
</section>`;
}

function failures({ last_failures }: Figures): Html {
  if (last_failures.length === 0) return markup``;
  const rows = last_failures.map(
    ({ time, server, tool, mode, reason_code, checked_fields }) => markup`<tbody><tr>
<th scope="row" class="name">${line(`${server}/${tool}`)}</th>
<td data-label="When">${instant(time)}</td>
<td data-label="Mode">${line(mode)}</td>
<td data-label="Reason"><code>${line(reason_code)}</code></td>
<td data-label="Checked">${checked_fields.length === 0 ? "\u2013" : checked_fields.map(line).join(", ")}</td>
</tr></tbody>`,
  );
  return markup`<section>
<h2>Last failures</h2>
<table class="cases"><thead><tr><th scope="col">Server and tool</th><th scope="col">When</th><th scope="col">Mode</th><th scope="col">Reason</th><th scope="col">Checked fields</th></tr></thead>
${join(rows)}
</table>
</section>`;
}

function compared({ totals, trouble_by_tool, reasons, p95_ms }: Changes): Html {
  const row = (name: string, before: number | null, now: number | null) =>
    markup`<tr><th scope="row">${line(name)}</th><td>${before === null ? "\u2013" : grouped(before)}</td><td>${now === null ? "\u2013" : grouped(now)}</td></tr>`;
  const { before, now } = totals;
  return markup`<section>
<h2>Against the period before</h2>
<table class="fields plain"><thead><tr><th scope="col">Count</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead><tbody>
${join([
  row("Calls", sum(before), sum(now)),
  row("PASS", before.pass, now.pass),
  row("FAIL", before.fail, now.fail),
  row("UNKNOWN", before.unknown, now.unknown),
  row("Added latency, p95 (ms)", p95_ms.before, p95_ms.now),
  ...trouble_by_tool.slice(0, 20).map((one) => row(`FAIL or UNKNOWN of ${one.name}`, one.before, one.now)),
  ...reasons.slice(0, 20).map((one) => row(`Reason ${one.name}`, one.before, one.now)),
])}
</tbody></table>
</section>`;
}

const more = (count: number): Html =>
  count > MAX_ROWS ? markup`<p class="soft">And ${String(count - MAX_ROWS)} more; --json has all.</p>` : markup``;
