// The command line of `fourgate completion`.

import { type Exit, exitWith } from "../run/exit.ts";
import { bashCompletion } from "./completion/bash.ts";
import { fishCompletion } from "./completion/fish.ts";
import { completionHelp, completionOptions, SHELLS, type Shell } from "./completion/help.ts";
import { zshCompletion } from "./completion/zsh.ts";
import { parseOptions } from "./options.ts";
import { loadPages, type Page } from "./pages.ts";

const SCRIPTS: Readonly<Record<Shell, (pages: readonly Page[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Runs the command; gives how it ended. */
export async function completionCommand(argv: readonly string[]): Promise<Exit> {
  const parsed = parseOptions(argv, completionOptions);
  if (!parsed.ok) return wrong(parsed.problem);
  if (parsed.values.has("help")) {
    process.stdout.write(completionHelp);
    return exitWith(0);
  }
  const shell = SHELLS.find((name) => name === parsed.positionals[0]);
  if (!shell || parsed.positionals.length > 1) return wrong(`name one shell: ${SHELLS.join(", ")}`);
  process.stdout.write(SCRIPTS[shell](await loadPages()));
  return exitWith(0);
}

function wrong(problem: string): Exit {
  process.stderr.write(`fourgate completion: error: ${problem}\n`);
  return exitWith(2);
}
