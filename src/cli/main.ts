// Where the program starts: picks the command, runs it, sets the exit status. No other file sets it.

import { type Exit, exitWith } from "../run/exit.ts";
import { version } from "../run/version.ts";
import type { CommandName } from "./commands.ts";

/** Each loads its command when it is first needed and runs it; gives how it ended. */
const RUN: Readonly<Record<CommandName, (argv: readonly string[]) => Promise<Exit>>> = {
  guard: async (argv) => (await import("./guard.ts")).guardCommand(argv),
  scan: async (argv) => (await import("./scan.ts")).scanCommand(argv),
  init: async (argv) => (await import("./init.ts")).initCommand(argv),
  review: async (argv) => (await import("./review.ts")).reviewCommand(argv),
  doctor: async (argv) => (await import("./doctor.ts")).doctorCommand(argv),
  summary: async (argv) => (await import("./summary.ts")).summaryCommand(argv),
  // It has written all it has to say when it is done; whatever else is still open must not keep it.
  verify: async (argv) => ({ code: await (await import("./verify.ts")).verifyCommand(argv), now: true }),
  clients: async (argv) => (await import("./clients.ts")).clientsCommand(argv),
  demo: async (argv) => exitWith(await (await import("./demo.ts")).demoCommand(argv)),
  completion: async (argv) => (await import("./completion.ts")).completionCommand(argv),
};

async function main(argv: readonly string[]): Promise<Exit> {
  const [name, ...rest] = argv;
  if (name === "--version" || name === "-V") {
    process.stdout.write(`${version}\n`);
    return exitWith(0);
  }
  const wantsHelp = name === "--help" || name === "-h" || name === "help";
  // `help COMMAND` is another spelling of `COMMAND --help`.
  const asked = wantsHelp ? rest.filter((word) => !word.startsWith("-")) : rest;
  const command = wantsHelp ? asked.shift() : name;
  if (wantsHelp && command === undefined) {
    process.stdout.write((await import("./help.ts")).generalHelp);
    return exitWith(0);
  }
  // Not for people: see src/run/reader.ts. Connections that it keeps must not keep it.
  if (command === "--reader") return { code: await (await import("../run/reader.ts")).reader(), now: true };
  if (command !== undefined && Object.hasOwn(RUN, command)) {
    return RUN[command as CommandName](wantsHelp ? [...(command === "clients" ? asked : []), "--help"] : rest);
  }
  process.stderr.write(`fourgate: error: ${(await import("./help.ts")).commandProblem(command)}\n`);
  return exitWith(2);
}

void main(process.argv.slice(2)).then(({ code, now }) => {
  process.exitCode = code;
  if (now) process.exit();
});
