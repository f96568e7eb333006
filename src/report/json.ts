// The report as JSON: all of it, versioned, keys sorted; schema/report.schema.json describes it.

import { sortedJson } from "./json-text.ts";
import type { Reporter } from "./model.ts";

export const json: Reporter = {
  name: "json",
  file: "fourgate-report.json",
  write: (report) => `${sortedJson(report)}\n`,
};
