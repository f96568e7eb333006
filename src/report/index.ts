// The report writers by name: one model in, one format out.

import { github } from "./github.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./model.ts";
import { sarif } from "./sarif.ts";
import { text } from "./text.ts";

export const reporters: readonly Reporter[] = [text, json, html, junit, sarif, github, markdown];

export { asciiText } from "./characters.ts";
export { doctorJson, doctorText } from "./doctor-text.ts";
export { githubSummary } from "./github.ts";
export { createLiveText } from "./live-text.ts";
export { reviewJson, reviewText } from "./review-text.ts";
export { summaryPage } from "./summary-html.ts";
export { liveScreen } from "./summary-live.ts";
export { recordJson, recordText, summaryJson, summaryText } from "./summary-text.ts";
export { verifiedCases } from "./words.ts";
