// Words docs/clients.md from the data, so that the page says what the program does.

import type { ClientSight } from "./client-sights.ts";

const SUCCESS: Readonly<Record<ClientSight["success"], string>> = {
  structured: "`structuredContent` only",
  content: "`content` only",
  both: "both",
};

/** The page. */
export function clientsPage(sights: readonly ClientSight[]): string {
  const rows = sights.map(
    ({ client, success, error, sources, remark }) =>
      `| \`${client}\` | ${SUCCESS[success]} | ${error ?? "not known"} | ${success === "structured" ? "error result" : "insertion"} | ${sources.map(link).join(", ")} | ${remark ?? ""} |`,
  );
  return `# What clients show their model

A verdict helps only if the model sees it. Some clients drop one half of a tool's result. With \`--surface auto\` (the default)
\`fourgate guard\` takes the shape of a [verdict](verdicts.md) from this table, by the name that the client gives in
\`clientInfo.name\`, when the answer has \`structuredContent\`. A client that is not here gets the insertion.

This page is made from \`src/core/verdict/client-sights.ts\`. A row needs a public report, or a recording of one's own, of what reached the model.

| Client | Of a success with both halves its model sees | Of an error result | Shape of a verdict | Reports | Remark |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

If your client is not here and an agent carries on as if a FAIL had not been said, start the guard with \`--surface error\` and report it.
`;
}

function link(source: string): string {
  const [repository, number] = source.split("#");
  return `[${source}](https://github.com/${repository}/issues/${number})`;
}
