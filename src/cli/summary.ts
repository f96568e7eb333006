// The command line of `fourgate summary`.

import { ALWAYS, readInstant } from "../core/summary/period.ts";
import { type Exit, exitWith } from "../run/exit.ts";
import { type SummaryOptions, summary } from "../run/summary.ts";
import { type OptionTable, optionHelp, parseOptions } from "./options.ts";

const DEFAULT_PAGE = "fourgate-summary.html";

export const summaryOptions: OptionTable = {
  out: { value: "FILE", help: `where the page goes (default ${DEFAULT_PAGE}; with --follow none)` },
  "no-page": { help: "write no page" },
  json: { help: "one JSON document on stdout instead of text; with --follow one line a record" },
  since: { value: "T", help: "from then on: 24h, 7d (ago), 2026-11-30 (UTC), 2026-11-30T08:00:00Z" },
  until: { value: "T", help: "before then; of a day, its end" },
  compare: { help: "beside the period of the same length before it; needs --since" },
  follow: { help: "stay and show what comes: a live view on a terminal, else a line a record" },
  "fail-on": { value: "fail|unknown", help: "exit status 1 when there is a FAIL, or a FAIL or UNKNOWN" },
  help: { help: "this text" },
};

export const summaryHelp = `fourgate summary: what the outcome logs of guard say

Usage: fourgate summary LOG... [options]

${optionHelp(summaryOptions)}

LOG is a file of records, or what guard wrote to stderr; - is stdin. Lines that are no record are counted and left out.
Exit status: 0, 1 by --fail-on, 2 usage, no record, or a log that cannot be read, 128+n a signal.

Examples:
  fourgate summary outcomes.jsonl
  fourgate summary outcomes.jsonl --since 7d --compare --out week.html
  fourgate summary *.jsonl --json --no-page --fail-on fail | jq .totals
  zcat outcomes.jsonl.*.gz | fourgate summary - outcomes.jsonl
  fourgate summary outcomes.jsonl --follow
`;

/** Runs the command; gives how it ended. */
export async function summaryCommand(argv: readonly string[]): Promise<Exit> {
  const read = readSummaryOptions(argv, Date.now());
  if (read === "help") {
    process.stdout.write(summaryHelp);
    return exitWith(0);
  }
  if (typeof read === "string") {
    process.stderr.write(`fourgate summary: error: ${read}\n`);
    return exitWith(2);
  }
  return summary(read);
}

/** The options, `help`, or one sentence that says what is wrong with the arguments. */
export function readSummaryOptions(argv: readonly string[], nowMs: number): SummaryOptions | string {
  const parsed = parseOptions(argv, summaryOptions);
  if (!parsed.ok) return parsed.problem;
  const { values, positionals: logs } = parsed;
  if (values.has("help")) return "help";
  if (logs.length === 0 || logs.includes("")) return "no LOG: name an outcome log, or - for stdin";
  if (logs.filter((log) => log === "-").length > 1) return "- is given twice; stdin can be read once";
  const follow = values.has("follow");
  if (follow && logs.includes("-")) return "--follow needs files; stdin is read to its end without it";
  const out = values.get("out");
  if (out === "") return "--out takes a file";
  if (out !== undefined && values.has("no-page")) return "--out and --no-page contradict each other";
  const failOn = values.get("fail-on");
  if (failOn !== undefined && failOn !== "fail" && failOn !== "unknown") return "--fail-on takes fail or unknown";
  const border = (name: "since" | "until"): number | undefined => {
    const text = values.get(name);
    return text === undefined ? ALWAYS[name] : readInstant(text, name, nowMs);
  };
  const [since, until] = [border("since"), border("until")];
  for (const [name, value] of [
    ["since", since],
    ["until", until],
  ] as const) {
    if (value === undefined) {
      return `--${name} takes an age (24h, 7d), a day (2026-11-30) or an instant with its zone (2026-11-30T08:00:00Z)`;
    }
  }
  if (!(since! < until!)) return "--since is not before --until";
  const compare = values.has("compare");
  if (compare && since === ALWAYS.since) return "--compare needs --since: the period before is as long as this one";
  if (compare && follow) return "--follow and --compare contradict each other: a period that is compared has an end";
  const page = values.has("no-page") || (follow && out === undefined) ? undefined : (out ?? DEFAULT_PAGE);
  // What is compared needs an end; what comes later is not yet.
  const end = compare && until === ALWAYS.until ? nowMs : until!;
  return { logs, out: page, json: values.has("json"), follow, period: { since: since!, until: end }, compare, failOn };
}
