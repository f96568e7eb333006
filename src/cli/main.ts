// Where the program starts: picks the command, runs it, sets the exit status. No other file sets it.

import { type Exit, exitWith } from "../run/exit.ts";
import { version } from "../run/version.ts";

interface CommandSpec {
  readonly summary: string;
  /** Loads the command when it is first needed and runs it; gives how it ended. */
  readonly run: (argv: readonly string[]) => Promise<Exit>;
}

const COMMANDS: Readonly<Record<string, CommandSpec>> = {
  guard: {
    summary: "stand between an MCP client and one server, and check protected writes",
    run: async (argv) => (await import("./guard.ts")).guardCommand(argv),
  },
  scan: {
    summary: "make the calls of a scan file on a test account, and prove what each did",
    run: async (argv) => (await import("./scan.ts")).scanCommand(argv),
  },
  init: {
    summary: "write a contract and a scan for a tool, or a draft from a server's list of tools",
    run: async (argv) => (await import("./init.ts")).initCommand(argv),
  },
  review: {
    summary: "a contract in plain words, what changed in it, and somebody's approval",
    run: async (argv) => (await import("./review.ts")).reviewCommand(argv),
  },
  doctor: {
    summary: "look at a setup before it is used; nothing is called, run or written",
    run: async (argv) => (await import("./doctor.ts")).doctorCommand(argv),
  },
  summary: {
    summary: "what the outcome logs say: counts, reasons, added time, as text, JSON and a page",
    run: async (argv) => (await import("./summary.ts")).summaryCommand(argv),
  },
  verify: {
    summary: "run one read-back: as a verifier command, or to see what it asks and finds",
    // It has written all it has to say when it is done; whatever else is still open must not keep it.
    run: async (argv) => ({ code: await (await import("./verify.ts")).verifyCommand(argv), now: true }),
  },
  clients: {
    summary: "the servers that MCP clients are configured with: list, wrap, unwrap",
    run: async (argv) => (await import("./clients.ts")).clientsCommand(argv),
  },
  demo: {
    summary: "see it at work in five short scenes, without network or keys",
    run: async (argv) => exitWith(await (await import("./demo.ts")).demoCommand(argv)),
  },
};

const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));

const help = `fourgate ${version}: checks that a write an MCP tool reported as done really happened

Usage: fourgate COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join("\n")}

fourgate COMMAND --help says more. Example: fourgate demo
`;

async function main(argv: readonly string[]): Promise<Exit> {
  const [name, ...rest] = argv;
  if (name === "--version" || name === "-V") {
    process.stdout.write(`${version}\n`);
    return exitWith(0);
  }
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(help);
    return exitWith(0);
  }
  // Not for people: see src/run/reader.ts. Connections that it keeps must not keep it.
  if (name === "--reader") return { code: await (await import("../run/reader.ts")).reader(), now: true };
  if (name !== undefined && Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!.run(rest);
  const problem = name === undefined ? "no command" : "no such command";
  process.stderr.write(`fourgate: error: ${problem}; the commands are ${Object.keys(COMMANDS).join(", ")}\n`);
  return exitWith(2);
}

const { code, now } = await main(process.argv.slice(2));
process.exitCode = code;
if (now) process.exit();
