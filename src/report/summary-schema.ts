// The document of `fourgate summary --json` as JSON Schema: the one source of schema/summary.schema.json.

const text = (description: string) => ({ description, type: "string" });
const count = (description: string) => ({ description, type: "integer", minimum: 0 });
const orNull = (description: string) => ({ description, type: ["string", "null"] });
const list = (description: string, items: object) => ({ description, type: "array", items });
const texts = (description: string) => list(description, { type: "string" });

function object(description: string, properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  return {
    description,
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

const totals = (description: string) =>
  object(description, { pass: count("PASS."), fail: count("FAIL."), unknown: count("UNKNOWN.") });
const by = (description: string) => ({ description, type: "object", additionalProperties: totals("The calls.") });
const status = { description: "The status.", enum: ["pass", "fail", "unknown"] };
const change = list(
  "What is not as before, the greatest change first.",
  object("One count.", { name: text("What is counted."), before: count("Then."), now: count("Now.") }),
);
const milliseconds = (description: string) => ({ description, type: ["integer", "null"], minimum: 0 });

export const summarySchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "fourgate summary",
  ...object(
    "What outcome logs say.",
    {
      summary_version: { description: "The version of this format.", const: 1 },
      generated_at_utc: text("When the logs were read."),
      calls: count("Records in the period: one a protected call."),
      skipped_lines: count("Lines that are no record; blank ones are not counted."),
      outside_period: count("Records outside the period."),
      period: object("From `since`, before `until`.", { since: orNull("ISO 8601."), until: orNull("ISO 8601.") }),
      totals: totals("All calls."),
      first: orNull("The earliest record, `YYYY-MM-DD HH:MM UTC`."),
      last: orNull("The latest record."),
      servers: texts("Labels of servers, sorted."),
      modes: texts("Modes, sorted."),
      by_tool: by("By `SERVER/TOOL`, most calls first; past 1000 together as `(others)`."),
      by_day: by("By `YYYY-MM-DD` in UTC, in order; past 3653 days together as `(others)`."),
      reasons: list(
        "PASS, FAIL, UNKNOWN; within each the most frequent first.",
        object("One reason.", { status, reason_code: text("Why."), count: count("Calls.") }),
      ),
      withheld_verdicts: count(
        "FAILs in enforce mode that were not put before the client: the answer was too long to take a verdict.",
      ),
      latency: {
        anyOf: [
          { description: "No record told it.", type: "null" },
          object("What clients waited for fourgate: nearest rank, exact below 65,536 ms.", {
            samples: count("Records that tell it."),
            p50_ms: count("Milliseconds."),
            p95_ms: count("Milliseconds."),
            p99_ms: count("Milliseconds."),
            max_ms: count("Milliseconds."),
          }),
        ],
      },
      last_failures: list(
        "The latest FAILs, the newest first.",
        object("One FAIL.", {
          time: text("ISO 8601, UTC."),
          server: text("The server's label."),
          tool: text("The tool."),
          mode: text("shadow or enforce."),
          reason_code: text("Why."),
          checked_fields: texts("The fields that were checked."),
        }),
      ),
      changes: object("With --compare: against the period of the same length before.", {
        totals: object("All calls.", { before: totals("Then."), now: totals("Now.") }),
        trouble_by_tool: change,
        calls_by_tool: change,
        reasons: change,
        p95_ms: object("Added latency.", { before: milliseconds("Then."), now: milliseconds("Now.") }),
      }),
    },
    ["changes"],
  ),
};
