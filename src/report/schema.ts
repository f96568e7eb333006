// The JSON report as JSON Schema: the one source of schema/report.schema.json. New keys may come; `report_version` grows when one
// goes or changes its meaning.

const text = (description: string) => ({ description, type: "string" });
const count = (description: string) => ({ description, type: "integer", minimum: 0 });
const orNull = (description: string) => ({ description, type: ["string", "null"] });

function object(description: string, properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { description, type: "object", required, properties };
}

const list = (description: string, items: object) => ({ description, type: "array", items });

const caseSchema = object(
  "One case, done.",
  {
    index: {
      description: "From 1, in the order of the file; 0 for a failure before the cases.",
      type: "integer",
      minimum: 0,
    },
    name: text("The case's name, or `TOOL #n`."),
    tool: orNull("The tool; null for a failure before the cases."),
    place: object("Where the case is written.", {
      file: text("The scan file as it was given."),
      line: count("From 1."),
      column: count("From 1."),
    }),
    expected: { description: "The case's `expect_outcome`.", enum: ["pass", "fail"] },
    status: { description: "What the system of record said; unknown is doubt.", enum: ["pass", "fail", "unknown"] },
    reason_code: text("Why; docs/verdicts.md and docs/scan.md list the codes, a contract may have its own."),
    as_expected: { description: "Whether `status` is `expected`.", type: "boolean" },
    attempts: count("How often the record was read."),
    duration_ms: { description: "Milliseconds from the call to the verdict.", type: "number", minimum: 0 },
    checked_fields: list("The fields that were checked.", { type: "string" }),
    mismatched_fields: list(
      "The fields that were not as expected.",
      object("One field.", {
        path: text("Its path in the record."),
        expected: text('JSON text, or "[WITHHELD]" without --show-values.'),
        observed: text('JSON text, or "[WITHHELD]" without --show-values.'),
      }),
    ),
    evidence: object("What was sent, answered and read: where the case is not PASS, or not as expected.", {
      request: { description: "The call, redacted." },
      tool_response: { description: "The server's answer, redacted." },
      readback: { description: "What was read, redacted." },
    }),
    repro_steps: list("How to see a FAIL by hand.", { type: "string" }),
    cleanup: object("What became of the clean-up.", {
      status: { enum: ["done", "not_needed", "failed"] },
      reason_code: text("Why."),
    }),
  },
  ["evidence", "repro_steps", "cleanup"],
);

export const reportSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "fourgate scan report",
  ...object(
    "One run of `fourgate scan`.",
    {
      scan_version: { description: "The version of the scan file's format.", const: 1 },
      report_version: { description: "The version of this format.", const: 1 },
      generated_at_utc: text("When the run ended."),
      fourgate: text("The version of fourgate."),
      scan_file: text("The scan file as it was given."),
      test_account: text("The test account that was confirmed."),
      run_id: text("The token of this run, which stands for {run_id} in arguments."),
      server: object("The server, as it named itself.", {
        name: orNull("Its name."),
        version: orNull("Its version."),
        protocol_version: orNull("The revision that was agreed on."),
      }),
      duration_ms: { description: "Milliseconds from start to end.", type: "number", minimum: 0 },
      totals: object("How many cases came to what.", {
        cases: count("Cases that were to be run."),
        pass: count("PASS."),
        fail: count("FAIL, also where it was expected."),
        unknown: count("UNKNOWN."),
        as_expected: count("Cases whose status is the expected one."),
        not_run: count("Cases that a stop left out."),
      }),
      cases: list("The cases that were run, in order.", caseSchema),
      leftovers: list(
        "Records that this run created and that are still there.",
        object("One record.", {
          tool: text("The tool that created it."),
          case: count("The case's index."),
          id: text("The record's id."),
        }),
      ),
      stopped: {
        anyOf: [
          { description: "The scan went on to its end.", type: "null" },
          object("Why no more writes were sent.", {
            reason_code: text("The reason."),
            after_case: count("The index of the last case that was run."),
          }),
        ],
      },
      min_verified: count("How many cases had to be decided: `--min-verified`."),
    },
    ["min_verified"],
  ),
};
