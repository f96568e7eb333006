// The text of docs/comparators.md, made from the comparators and their cases; nothing at run time needs it.

import type { Comparator, Comparison } from "./types.ts";

/** A case of test/corpus/compare as it is shown: JSON texts, and why. */
export interface ShownCase {
  readonly expected: string;
  readonly observed: string;
  readonly options: string | undefined;
  readonly comparison: Comparison;
  readonly why: string;
}

const OPTIONS: Readonly<Record<string, string>> = {
  by: "`by`: the member that the items of both lists are compared by",
  tolerance: "`tolerance`: how far apart two numbers may be, a number that is not negative",
};

const OUTCOME: Readonly<Record<Comparison, string>> = { equal: "equal", different: "different", undecided: "UNKNOWN" };

/** At most so many cases of each outcome are shown. */
const SHOWN = 3;

/** The whole page. `casesOf` gives the text of a comparator's file of cases, one case a line. */
export function comparatorsPage(comparators: readonly Comparator[], casesOf: (name: string) => string): string {
  return `${INTRODUCTION}${comparators.map((one, i) => section(one, i === 0, readCases(casesOf(one.name)))).join("")}`;
}

const INTRODUCTION = `# Comparators

<!-- Generated from src/core/compare by scripts/generate.mjs; do not edit. -->

A [read-back](read-back.md) compares what the system of record has with what the call asked for. Without a word about it two values
must be exactly the same. Where a system rightly stores something in another form, \`compare\` names the comparator that allows for it:

\`\`\`json
{
  "expected_fields": {
    "title": {"field": "title", "compare": "trim"},
    "labels": {"field": "labels", "compare": "set", "by": "name"},
    "state": {"value": ["open", "reopened"], "compare": "one_of"}
  }
}
\`\`\`

A comparison has three outcomes. *Equal* counts towards PASS. *Different* is a proven difference and counts towards FAIL. Everything else
is UNKNOWN: the two cannot be compared with certainty. In particular, two texts are never called different when nothing but their
encoding differs: HTML entities, percent-encoding, line ends, Unicode composition, no-break spaces, a byte order mark.

Every case below, and many more, is in \`test/corpus/compare\`.
`;

function section(
  { name, summary, notes, options }: Comparator,
  isDefault: boolean,
  cases: readonly ShownCase[],
): string {
  const shown = (["equal", "different", "undecided"] as const).flatMap((comparison) =>
    cases.filter((one) => one.comparison === comparison).slice(0, SHOWN),
  );
  const rows = shown.map(({ expected, observed, options, comparison, why }) => {
    const beside = options === undefined ? "" : ` with ${code(options)}`;
    return `| ${code(expected)} | ${code(observed)}${beside} | ${OUTCOME[comparison]} | ${why} |`;
  });
  return `
## \`${name}\`${isDefault ? " (the default)" : ""}

${[summary, ...notes, ...options.map((option) => `Option ${OPTIONS[option]}.`)].join("\n\n")}

| expected | read | outcome | why |
|---|---|---|---|
${rows.join("\n")}
`;
}

function code(json: string): string {
  return `\`${json.replaceAll("|", "\\|")}\``;
}

const CASE =
  /^ *\{"expected": (.*), "observed": (.*), "comparator": "\w+",(?: "options": (.*?),)? "equal": (true|false|"undecided"), "why": (".*")\},?$/gm;

function readCases(text: string): ShownCase[] {
  return [...text.matchAll(CASE)].map(([, expected, observed, options, equal, why]) => ({
    expected: expected!,
    observed: observed!,
    options,
    comparison: equal === "true" ? "equal" : equal === "false" ? "different" : "undecided",
    // The numbers of the reports that a case comes from mean nothing to a reader of the page.
    why: (JSON.parse(why!) as string).replace(/ \((?:defect )?[A-D][0-9]+\)$/, ""),
  }));
}
