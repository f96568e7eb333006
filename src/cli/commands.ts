// The commands there are, in the order of their help, each in a few words.

export const COMMANDS = {
  guard: "stand between an MCP client and one server, and check protected writes",
  scan: "make the calls of a scan file on a test account, and prove what each did",
  init: "write a contract and a scan for a tool, or a draft from a server's list of tools",
  review: "a contract in plain words, what changed in it, and somebody's approval",
  doctor: "look at a setup before it is used; nothing is called, run or written",
  summary: "what the outcome logs say: counts, reasons, added time, as text, JSON and a page",
  verify: "run one read-back: as a verifier command, or to see what it asks and finds",
  clients: "the servers that MCP clients are configured with: list, wrap, unwrap",
  demo: "see it at work in five short scenes, without network or keys",
  completion: "completion of commands, flags and values for bash, zsh and fish",
} as const;

export type CommandName = keyof typeof COMMANDS;
