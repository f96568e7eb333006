// Every command with its option table and its help: what completions and the manual are made of. It loads all commands, so
// nothing that has to be quick imports it.

import type { CommandName } from "./commands.ts";
import { COMMANDS } from "./commands.ts";
import type { OptionTable } from "./options.ts";

/** What stands on the command line beside flags: files, another program's command line, a name, words to choose from, or nothing. */
export type Operands = "files" | "command" | "name" | "nothing" | readonly string[];

/** A command, or an action of one. */
export interface Page {
  /** As it is typed: `scan`, `clients wrap`. */
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  readonly options: OptionTable;
  readonly operands: Operands;
}

/** In the order of the general help, an action behind its command. */
export async function loadPages(): Promise<Page[]> {
  const { guardHelp, guardOptions } = await import("./guard.ts");
  const { scanHelp, scanOptions } = await import("./scan.ts");
  const { initHelp, initOptions } = await import("./init.ts");
  const { reviewHelp, reviewOptions } = await import("./review.ts");
  const { doctorHelp, doctorOptions } = await import("./doctor.ts");
  const { summaryHelp, summaryOptions } = await import("./summary.ts");
  const { verifyHelp, verifyOptions } = await import("./verify.ts");
  const { clientsHelp, clientsHelps, clientsTables } = await import("./clients.ts");
  const { demoHelp, demoOptions } = await import("./demo.ts");
  const { completionHelp, completionOptions, SHELLS } = await import("./completion/help.ts");
  const actions = Object.keys(clientsTables) as (keyof typeof clientsTables)[];
  const parts: Readonly<Record<CommandName, readonly [help: string, options: OptionTable, operands: Operands]>> = {
    guard: [guardHelp, guardOptions, "command"],
    scan: [scanHelp, scanOptions, "files"],
    init: [initHelp, initOptions, "command"],
    review: [reviewHelp, reviewOptions, "files"],
    doctor: [doctorHelp, doctorOptions, "command"],
    summary: [summaryHelp, summaryOptions, "files"],
    verify: [verifyHelp, verifyOptions, "files"],
    clients: [clientsHelp, { help: { help: "this text" } }, actions],
    demo: [demoHelp, demoOptions, "nothing"],
    completion: [completionHelp, completionOptions, SHELLS],
  };
  return Object.entries(parts).flatMap(([name, [help, options, operands]]): Page[] => {
    const page = { name, summary: COMMANDS[name as CommandName], help, options, operands };
    if (name !== "clients") return [page];
    const ofActions = actions.map((action): Page => {
      const text = clientsHelps[action];
      const summary = text.slice(text.indexOf(": ") + 2, text.indexOf("\n"));
      const operand = action === "list" ? "nothing" : "name";
      return { name: `clients ${action}`, summary, help: text, options: clientsTables[action], operands: operand };
    });
    return [page, ...ofActions];
  });
}
