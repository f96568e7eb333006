// The command line of `fourgate clients`.

import { CLIENT_IDS } from "../clients/table.ts";
import { nearestName } from "../core/contract/nearest.ts";
import { MAX_LABEL_CHARACTERS } from "../core/limits.ts";
import { listClients, unwrapClient, type WrapOptions, wrapClient } from "../run/clients.ts";
import { type Exit, exitWith } from "../run/exit.ts";
import { type OptionTable, optionHelp, parseOptions } from "./options.ts";

const SCOPES = ["user", "local", "project"];

const WHERE: OptionTable = {
  client: { value: "C", words: CLIENT_IDS, help: `of this client only: ${CLIENT_IDS.join(", ")}` },
  scope: {
    value: "user|local|project",
    help: "of the user's files, of their part for one project, or of the project's",
  },
  file: { value: "FILE", help: "this file instead of those that clients are known to read" },
  project: { value: "DIR", help: "the project whose files are looked at (default: here)" },
};
const HELP: OptionTable = { help: { help: "this text" } };
const DRY: OptionTable = { "dry-run": { help: "show the change, values blanked, and write nothing" } };

export const clientsTables = {
  list: { ...WHERE, json: { help: "one JSON document on stdout" }, ...HELP },
  wrap: {
    contracts: { value: "FILE", help: "the contract file; required" },
    mode: { value: "shadow|enforce", help: "as guard takes it (default shadow)" },
    server: { value: "LABEL", help: "the server's name in records (default: NAME)" },
    log: { value: "FILE", help: "where guard appends its records (default: its stderr)" },
    ...WHERE,
    ...DRY,
    ...HELP,
  },
  unwrap: { ...WHERE, ...DRY, ...HELP },
} satisfies Record<string, OptionTable>;

export const clientsHelps: Readonly<Record<keyof typeof clientsTables, string>> = {
  list: `fourgate clients list: the MCP servers that clients on this machine are configured with

Usage: fourgate clients list [options]

${optionHelp(clientsTables.list)}

Shows names and programs, never arguments, addresses or environment values. Exit status: 0, 2 usage or a file that cannot be read.

Examples:
  fourgate clients list
  fourgate clients list --json --project ~/work/shop
`,
  wrap: `fourgate clients wrap: put the guard in front of a server that a client is configured with

Usage: fourgate clients wrap NAME --contracts FILE [options]

${optionHelp(clientsTables.wrap)}

Only the entry's command and args change; a backup is put beside the file. Exit status: 0, 2 usage or configuration, and nothing changed.

Examples:
  fourgate clients wrap files --contracts contracts/filesystem/contract.jsonc --log ~/outcomes.jsonl --dry-run
  fourgate clients wrap files --contracts contracts/filesystem/contract.jsonc --client cursor --mode enforce
`,
  unwrap: `fourgate clients unwrap: take the guard away again

Usage: fourgate clients unwrap NAME [options]

${optionHelp(clientsTables.unwrap)}

The entry is spelled as it was before; what else changed in the file since stays. Exit status: 0, 2 usage or configuration, and nothing changed.

Example:
  fourgate clients unwrap files --client cursor
`,
};

export const clientsHelp = `fourgate clients: the MCP servers that clients are configured with, and the guard in front of them

Usage: fourgate clients list | wrap NAME --contracts FILE | unwrap NAME

  list    what is configured, and what is wrapped already
  wrap    put the guard in front of a server
  unwrap  take it away again, to the byte

fourgate clients COMMAND --help says more. Example: fourgate clients list
`;

type Command = keyof typeof clientsTables;

/** Runs the command; gives how it ended. */
export async function clientsCommand([first, ...argv]: readonly string[]): Promise<Exit> {
  if (first === "--help" || first === "-h" || first === "help") return say(clientsHelp);
  if (first === undefined || !Object.hasOwn(clientsTables, first)) {
    const near = first === undefined ? undefined : nearestName(first, Object.keys(clientsTables));
    return wrong("", [
      `${first === undefined ? "no command" : "no such command"}; ${near ? `did you mean ${near}?` : "the commands are list, wrap, unwrap"}`,
    ]);
  }
  const command = first as Command;
  const read = readClientsOptions(command, argv);
  if (read === "help") return say(clientsHelps[command]);
  if ("problems" in read) return wrong(` ${command}`, read.problems);
  if (command === "list") return listClients(read);
  return command === "wrap" ? wrapClient(read) : unwrapClient(read);
}

type Read = WrapOptions & { readonly json: boolean };

/** The options, `help`, or all that is wrong with the arguments. */
export function readClientsOptions(
  command: Command,
  argv: readonly string[],
): Read | "help" | { readonly problems: readonly string[] } {
  const parsed = parseOptions(argv, clientsTables[command]);
  if (!parsed.ok) return { problems: [parsed.problem] };
  const { values, positionals } = parsed;
  if (values.has("help")) return "help";
  const problems: string[] = [];
  const [name, ...rest] = positionals;
  const wanted = command === "list" ? 0 : 1;
  if (wanted === 1 && (name === undefined || name === ""))
    problems.push("no NAME: name the server, as clients list shows it");
  if ((wanted === 0 ? positionals : rest).length > 0)
    problems.push("more arguments than there should be; quote a name with blanks");
  const client = values.get("client");
  if (client !== undefined && !CLIENT_IDS.includes(client)) {
    const near = nearestName(client, CLIENT_IDS);
    problems.push(`--client takes ${near ? `one of the known clients; did you mean ${near}?` : CLIENT_IDS.join(", ")}`);
  }
  const scope = values.get("scope");
  if (scope !== undefined && !SCOPES.includes(scope)) problems.push("--scope is user, local or project");
  const mode = values.get("mode");
  if (mode !== undefined && mode !== "shadow" && mode !== "enforce")
    problems.push("--mode is either shadow or enforce");
  const server = values.get("server");
  if (server !== undefined && (!/^[A-Za-z0-9._-]+$/.test(server) || server.length > MAX_LABEL_CHARACTERS)) {
    problems.push(`--server takes 1 to ${MAX_LABEL_CHARACTERS} of the characters A-Z a-z 0-9 . _ -`);
  }
  if (command === "wrap" && !values.get("contracts"))
    problems.push("--contracts FILE is missing: name the contract file");
  for (const flag of ["file", "project", "log"]) if (values.get(flag) === "") problems.push(`--${flag} needs a value`);
  if (problems.length > 0) return { problems };
  return {
    name: name ?? "",
    contracts: values.get("contracts") ?? "",
    mode,
    server,
    log: values.get("log"),
    client,
    scope,
    file: values.get("file"),
    project: values.get("project") ?? ".",
    dryRun: values.has("dry-run"),
    json: values.has("json"),
  };
}

function say(text: string): Exit {
  process.stdout.write(text);
  return exitWith(0);
}

function wrong(command: string, problems: readonly string[]): Exit {
  for (const problem of problems) process.stderr.write(`fourgate clients${command}: error: ${problem}\n`);
  return exitWith(2);
}
