// The command line of `fourgate doctor`: the flags of guard, so that a configuration can be checked as it stands.

import { type DoctorOptions, doctor } from "../run/doctor.ts";
import { type Exit, exitWith } from "../run/exit.ts";
import { guardOptions, readGuardOptions } from "./guard.ts";
import { type OptionTable, optionHelp, splitWrapped } from "./options.ts";

export const doctorOptions: OptionTable = { ...guardOptions, json: { help: "one JSON document on stdout" } };

export const doctorHelp = `fourgate doctor: look at a setup before it is used

Usage: fourgate doctor --contracts FILE [options of guard] [--json] [-- COMMAND [ARGS...]]

${optionHelp(doctorOptions)}

With COMMAND the server is started for its list of tools, and ended. No tool is called, no verifier runs, nothing is asked of a network, no
file is written. Put doctor in the place of guard in your configuration's command to check just that.
Exit status: 0 ready for shadow mode, 1 not ready, 2 usage, 128+n a signal.

Example:
  fourgate doctor --contracts contracts/filesystem/contract.jsonc --log outcomes.jsonl -- \\
    npx -y @modelcontextprotocol/server-filesystem /srv/data
`;

/** Runs the command; gives how it ended. */
export async function doctorCommand(argv: readonly string[]): Promise<Exit> {
  const read = readDoctorOptions(argv);
  if (read === "help") {
    process.stdout.write(doctorHelp);
    return exitWith(0);
  }
  if (typeof read === "string") {
    process.stderr.write(`fourgate doctor: error: ${read}\n`);
    return exitWith(2);
  }
  return doctor(read);
}

/** The options, `help`, or one sentence that says what is wrong with the arguments. */
export function readDoctorOptions(argv: readonly string[]): DoctorOptions | string {
  const { own, wrapped } = splitWrapped(argv, doctorOptions);
  const noServer = wrapped.length === 0 && !argv.includes("--");
  const json = own.includes("--json");
  const flags = own.filter((flag) => flag !== "--json");
  // guard needs a command; without one the rest is read all the same.
  const read = readGuardOptions([...flags, "--", ...(noServer ? ["-"] : wrapped)]);
  if (typeof read === "string") return read;
  return { ...read, command: noServer ? undefined : read.command, json };
}
