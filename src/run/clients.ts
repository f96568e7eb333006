// `fourgate clients`: lists the servers of MCP clients, puts the guard in front of one, and takes it away again.

import { type Change, isWrapped, unwrapEntry, wrapEntry } from "../core/config/change.ts";
import { type Listing, programName } from "../core/config/listing.ts";
import { words } from "../core/config/words.ts";
import { showName } from "../core/contract/issue.ts";
import { sameFile } from "../io/same-file.ts";
import { showText } from "../report/characters.ts";
import { clientsJson, clientsText } from "../report/clients-text.ts";
import { type FoundServer, findServers, issueLines, pickServer, type Where } from "./clients/find.ts";
import { type GuardRequest, guardCommand } from "./clients/guard-command.ts";
import { changeDiff, writeChange } from "./clients/write.ts";
import { type Exit, exitWith } from "./exit.ts";

export interface ListOptions extends Where {
  readonly json: boolean;
}
export interface UnwrapOptions extends Where {
  readonly name: string;
  readonly dryRun: boolean;
}
export interface WrapOptions extends UnwrapOptions, GuardRequest {}

/** 0, or 2 when a file could not be read; the others are listed all the same. */
export async function listClients(options: ListOptions): Promise<Exit> {
  const { servers, problems } = await findServers(options);
  const listing: Listing = {
    servers: servers
      .filter(({ scope }) => options.scope === undefined || scope === options.scope)
      .map(({ entry, scope, project, source: { place } }) => ({
        client: place.row.id,
        title: place.row.title,
        scope,
        project,
        file: place.file,
        name: entry.name,
        type: entry.type,
        command: entry.command && programName(entry.command.value.text),
        wrapped: isWrapped(entry),
        disabled: entry.disabled,
      })),
    problems,
  };
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  process.stdout.write(options.json ? clientsJson(listing) : clientsText(listing, color));
  return problems.length > 0 ? refuse("list", problems) : exitWith(0);
}

/** Puts guard in front of a configured server. 0, or 2 and nothing changed. */
export async function wrapClient(options: WrapOptions): Promise<Exit> {
  const [found, { guard, needed, problems }] = await Promise.all([findServers(options), guardCommand(options)]);
  const picked = pickServer(options.name, found, options);
  if (!picked.ok) return refuse("wrap", [...problems, ...picked.problems]);
  const { server } = picked;
  const { source, entry } = server;
  const more = [...problems];
  if (source.place.row.expands && [guard.command, ...guard.args].some((part) => part.includes("$"))) {
    more.push(words.expands().message);
  }
  if (options.log !== undefined && sameFile(options.log, source.place.file)) {
    more.push(`--log ${options.log}: this is the client's configuration; name another file for the log`);
  }
  const change = wrapEntry(source.document.text, entry, guard, source.format);
  if (!change.ok || more.length > 0) return refuse("wrap", [...more, ...changeProblems(server, change)]);
  const unset = needed.filter((name) => !entry.envNames.includes(name));
  const notes = [
    ...found.problems.map((problem) => `not looked at: ${problem}`),
    ...(unset.length > 0
      ? [`checks read ${unset.join(", ")}: set them in the entry's env if the client does not pass them on`]
      : []),
    ...(server.scope === "project"
      ? ["the file is the project's: whoever shares it gets the paths of this machine"]
      : []),
    ...(entry.disabled ? ["this server is disabled in its client"] : []),
  ];
  return carryOut("wrap", server, change, options, notes);
}

/** Gives a server's entry back what it was. 0, or 2 and nothing changed. */
export async function unwrapClient(options: UnwrapOptions): Promise<Exit> {
  const picked = pickServer(options.name, await findServers(options), options);
  if (!picked.ok) return refuse("unwrap", picked.problems);
  const { server } = picked;
  const { source, entry } = server;
  const change = unwrapEntry(source.document.text, entry, source.format);
  return change.ok ? carryOut("unwrap", server, change, options, []) : refuse("unwrap", changeProblems(server, change));
}

async function carryOut(
  command: "wrap" | "unwrap",
  { source, entry }: FoundServer,
  change: Change & { readonly ok: true },
  { dryRun }: UnwrapOptions,
  notes: readonly string[],
): Promise<Exit> {
  const { place } = source;
  if (dryRun) {
    process.stdout.write(shown(changeDiff(source, change)));
    return exitWith(0);
  }
  const written = await writeChange(source, change);
  if (!written.ok) return refuse(command, [`${place.file} was not changed: ${written.problem}`]);
  const lines = [
    `${command === "wrap" ? "wrapped" : "unwrapped"}: ${showName(entry.name)} in ${place.file} (${place.row.title})`,
    `backup: ${written.backup}`,
    ...notes.map((note) => `note: ${note}`),
    "The client takes it up when it starts the server anew.",
  ];
  process.stdout.write(shown(`${lines.join("\n")}\n`));
  return exitWith(0);
}

function changeProblems({ source: { place, document } }: FoundServer, change: Change): string[] {
  return change.ok ? [] : issueLines(place.file, document.text, change.findings);
}

function refuse(command: string, problems: readonly string[]): Exit {
  for (const problem of problems) {
    const isMore = problem.startsWith("  ");
    process.stderr.write(shown(isMore ? `${problem}\n` : `fourgate clients ${command}: error: ${problem}\n`));
  }
  return exitWith(2);
}

/** Text for a terminal; tabs, which files are indented with, stay. */
function shown(text: string): string {
  return text
    .split("\t")
    .map((part) => showText(part, Number.POSITIVE_INFINITY))
    .join("\t");
}
