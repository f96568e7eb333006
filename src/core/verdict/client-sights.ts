// What the model of each client is known to see of a tool's result, with the evidence. Data only: to correct a row, change it here.

/** One client. */
export interface ClientSight {
  /** `clientInfo.name` as the client sends it. */
  readonly client: string;
  /** What reaches the model of a success that has both `content` and `structuredContent`. */
  readonly success: "structured" | "content" | "both";
  /** What reaches the model of an error result; undefined where nothing is known. */
  readonly error: "first item" | undefined;
  /** Where this was reported; a later report that says otherwise is named too. */
  readonly sources: readonly string[];
  /** What the row does not say, in one sentence. */
  readonly remark?: string;
}

export const CLIENT_SIGHTS: readonly ClientSight[] = [
  {
    client: "claude-code",
    success: "structured",
    error: "first item",
    sources: [
      "anthropics/claude-code#55677",
      "anthropics/claude-code#79944",
      "anthropics/claude-code#1804",
      "anthropics/claude-code#39976",
      "anthropics/claude-code#86032",
    ],
    remark: "`structuredContent` of an error result does not reach the model.",
  },
  {
    client: "codex-mcp-client",
    success: "structured",
    error: undefined,
    sources: ["openai/codex#9251", "openai/codex#9338"],
  },
  {
    client: "github-copilot-developer",
    success: "structured",
    error: undefined,
    sources: ["github/copilot-cli#3258", "github/copilot-cli#4515"],
    remark: "The second report says that newer versions show both.",
  },
  {
    client: "opencode",
    success: "structured",
    error: undefined,
    sources: ["anomalyco/opencode#32074", "anomalyco/opencode#38923"],
    remark: "The second report says that some version shows only `content`.",
  },
];
