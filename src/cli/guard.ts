// The command line of `fourgate guard`.

import type { Mode } from "../core/contract/types.ts";
import {
  DEFAULT_MAX_INSPECT_BYTES,
  MAX_LABEL_CHARACTERS,
  MAX_MAX_INSPECT_BYTES,
  MIN_MAX_INSPECT_BYTES,
} from "../core/limits.ts";
import type { Surface } from "../core/verdict/types.ts";
import { type Exit, exitWith } from "../run/exit.ts";
import { type GuardOptions, guard } from "../run/guard.ts";
import { type OptionTable, optionHelp, parseOptions, splitWrapped } from "./options.ts";

export const guardOptions: OptionTable = {
  contracts: { value: "FILE", help: "the contract file (JSON, JSONC or YAML); required" },
  mode: { value: "shadow|enforce", help: "record only (default), or put a confirmed FAIL before the answer" },
  server: { value: "LABEL", help: "the server's name in records and verdicts (default server)" },
  log: { value: "FILE", help: "append outcome records to this file instead of stderr" },
  surface: { value: "auto|prepend|error", help: "shape of a verdict (default auto: what the client is known to show)" },
  "max-inspect": { value: "BYTES", help: "longest line that is looked into (default 16777216)" },
  "shadow-hold": { help: "in shadow, hold answers as enforce would, to measure the wait" },
  sandbox: { help: "run the server under bubblewrap, where it sees no process but its own (Linux)" },
  "require-approval": { help: "start only when fourgate review --approve was run on exactly this contract" },
  "approval-key": { value: "FILE", help: "and signed with the key of this public key (Ed25519, PEM)" },
  verbose: { help: "show what verifiers write to stderr" },
  help: { help: "this text" },
};

export const guardHelp = `fourgate guard: stand between an MCP client and one MCP server, and check protected writes

Usage: fourgate guard --contracts FILE [options] -- COMMAND [ARGS...]

${optionHelp(guardOptions)}

COMMAND is the server as the client would start it; everything after it belongs to the server.
stdout carries MCP alone; what fourgate has to say goes to stderr.
Exit status: the server's own, 128+n for a signal, 1 the server could not start, 2 usage, contract or log.

Example:
  fourgate guard --contracts contracts/filesystem/contract.jsonc --mode enforce --log outcomes.jsonl -- \\
    npx -y @modelcontextprotocol/server-filesystem /srv/data
`;

/** Runs the command; gives how it ended. */
export async function guardCommand(argv: readonly string[]): Promise<Exit> {
  const read = readGuardOptions(argv);
  if (read === "help") {
    process.stdout.write(guardHelp);
    return exitWith(0);
  }
  if (typeof read === "string") {
    process.stderr.write(`fourgate guard: error: ${read}\n`);
    return exitWith(2);
  }
  return guard(read);
}

/** The options, `help`, or one sentence that says what is wrong with the arguments. */
export function readGuardOptions(argv: readonly string[]): GuardOptions | string {
  const { own, wrapped } = splitWrapped(argv, guardOptions);
  const parsed = parseOptions(own, guardOptions);
  if (!parsed.ok) return parsed.problem;
  const { values } = parsed;
  if (values.has("help")) return "help";
  const contracts = values.get("contracts");
  const mode = values.get("mode") ?? "shadow";
  const server = values.get("server") ?? "server";
  const surface = values.get("surface") ?? "auto";
  const maxInspectBytes = Number(values.get("max-inspect") ?? DEFAULT_MAX_INSPECT_BYTES);
  const [program, ...args] = wrapped;
  if (!contracts) return "--contracts FILE is missing: name the contract file";
  if (mode !== "shadow" && mode !== "enforce") return "--mode is either shadow or enforce";
  if (!/^[A-Za-z0-9._-]+$/.test(server) || server.length > MAX_LABEL_CHARACTERS) {
    return `--server takes 1 to ${MAX_LABEL_CHARACTERS} of the characters A-Z a-z 0-9 . _ -`;
  }
  if (surface !== "auto" && surface !== "prepend" && surface !== "error") {
    return "--surface is auto, prepend or error";
  }
  if (
    !Number.isInteger(maxInspectBytes) ||
    maxInspectBytes < MIN_MAX_INSPECT_BYTES ||
    maxInspectBytes > MAX_MAX_INSPECT_BYTES
  ) {
    return `--max-inspect takes a whole number of bytes from ${MIN_MAX_INSPECT_BYTES} to ${MAX_MAX_INSPECT_BYTES}`;
  }
  const shadowHold = values.has("shadow-hold");
  if (shadowHold && mode === "enforce") return "--shadow-hold goes with --mode shadow; enforce holds answers anyway";
  if (values.get("log") === "") return "--log needs a value: FILE";
  if (!program) return "no server command: put it after --, as in: -- npx -y some-mcp-server";
  return {
    contracts,
    mode: mode satisfies Mode,
    shadowHold,
    server,
    log: values.get("log"),
    surface: surface satisfies Surface,
    maxInspectBytes,
    sandbox: values.has("sandbox"),
    verbose: values.has("verbose"),
    requireApproval: values.has("require-approval") || values.has("approval-key"),
    approvalKey: values.get("approval-key"),
    command: [program, ...args],
  };
}
