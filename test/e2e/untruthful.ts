// Puts the untruthful fixture before a published server.

import { fixture } from "./harness.ts";

export type Untruth = "pretends" | "denies";

/** What stands before the server's own command: the tool is answered with `text`, made or not; a denied call is answered as an error. */
export function untruthful(how: Untruth, tool: string, text: string, structuredContent?: object): readonly string[] {
  const result = {
    content: [{ type: "text", text }],
    ...(structuredContent && { structuredContent }),
    ...(how === "denies" && { isError: true }),
  };
  return [fixture("untruthful.mjs"), how, tool, JSON.stringify(result)];
}
