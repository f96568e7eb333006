// What the program says of itself: the general help, and where a command that does not exist may lead.

import { nearestName } from "../core/contract/nearest.ts";
import { version } from "../run/version.ts";
import { COMMANDS } from "./commands.ts";

const names = Object.keys(COMMANDS);
const width = Math.max(...names.map((name) => name.length));

export const generalHelp = `fourgate ${version}: checks that a write an MCP tool reported as done really happened

Usage: fourgate COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)
  .join("\n")}

fourgate COMMAND --help, or fourgate help COMMAND, says more; fourgate --version tells the version.

Examples:
  fourgate demo
  fourgate guard --contracts contracts/filesystem/contract.jsonc --log outcomes.jsonl -- \\
    npx -y @modelcontextprotocol/server-filesystem /srv/data
  fourgate summary outcomes.jsonl
`;

/** The sentence for a command that is not there, or is not given. */
export function commandProblem(name: string | undefined): string {
  const all = `the commands are ${names.join(", ")}`;
  if (name === undefined) return `no command; ${all}`;
  const near = nearestName(name, [...names, "help", "--help", "--version"]);
  return `no such command; ${near ? `did you mean ${near}? ` : ""}${all}`;
}
