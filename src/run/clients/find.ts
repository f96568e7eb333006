// The configured servers of this machine, and which of them a command means.

import { homedir } from "node:os";
import { resolve } from "node:path";
import { type ConfigFile, readConfigFile } from "../../clients/config-file.ts";
import { type ConfigPlace, configPlaces, placeOf, type Surroundings, samePath } from "../../clients/locate.ts";
import { toText } from "../../core/config/bytes.ts";
import type { Format } from "../../core/config/change.ts";
import { json } from "../../core/config/json.ts";
import { toml } from "../../core/config/toml.ts";
import type { ConfigDocument, Entry } from "../../core/config/types.ts";
import { type Finding, formatIssue, showName, toIssues } from "../../core/contract/issue.ts";
import { nearestName } from "../../core/contract/nearest.ts";
import { positions } from "../../core/contract/position.ts";

/** What narrows the search. */
export interface Where {
  readonly client: string | undefined;
  readonly file: string | undefined;
  readonly scope: string | undefined;
  readonly project: string;
}

/** A file that could be read. */
export interface Source {
  readonly place: ConfigPlace;
  readonly format: Format;
  readonly file: ConfigFile;
  readonly bom: boolean;
  readonly document: ConfigDocument;
}

export interface FoundServer {
  readonly source: Source;
  readonly entry: Entry;
  readonly scope: "user" | "local" | "project" | "file";
  readonly project: string | undefined;
}

export interface Found {
  readonly servers: readonly FoundServer[];
  /** Files that could not be read, a line each. */
  readonly problems: readonly string[];
}

export function surroundings(project: string): Surroundings {
  const { platform } = process;
  const known = platform === "win32" || platform === "darwin" ? platform : "linux";
  return { platform: known, home: homedir(), env: process.env, project: resolve(project) };
}

/** Reads the files of every client, or of the one that is asked for. */
export async function findServers({ client, file, project }: Where): Promise<Found> {
  const around = surroundings(project);
  const places = file === undefined ? configPlaces(around) : [placeOf(resolve(file), client, around)];
  const servers: FoundServer[] = [];
  const problems: string[] = [];
  const seen: ConfigPlace[] = [];
  for (const place of places) {
    if (client !== undefined && place.row.id !== client) continue;
    // In the home folder a user's file is the project's too.
    if (seen.some((other) => samePath(other.file, place.file, around.platform) && other.row.id === place.row.id))
      continue;
    seen.push(place);
    const read = await readSource(place);
    if (read === undefined) {
      if (file !== undefined) problems.push(`${place.file}: there is no such file`);
    } else if (Array.isArray(read)) problems.push(...read);
    else servers.push(...read.document.entries.map((entry) => inScope(read, entry)));
  }
  return { servers, problems };
}

/** A file's servers; its problems; undefined when it is not there. */
async function readSource(place: ConfigPlace): Promise<Source | string[] | undefined> {
  const read = await readConfigFile(place.file);
  if (read.type === "missing") return undefined;
  if (read.type === "problem") return [`${place.file}: cannot be read: ${read.problem}`];
  const { row } = place;
  const format = { ...row, syntax: row.format === "toml" ? toml : json };
  const decoded = toText(read.file.bytes);
  if (!decoded.ok) return issueLines(place.file, decoded.before, decoded.findings);
  const result = format.syntax.read(decoded.text, row.containers, row.disabledBy);
  if (!result.ok) return issueLines(place.file, decoded.text, result.findings);
  return { place, format, file: read.file, bom: decoded.bom, document: result.document };
}

export function issueLines(file: string, text: string, findings: readonly Finding[]): string[] {
  return toIssues(file, findings, positions(text)).map(formatIssue);
}

function inScope(source: Source, entry: Entry): FoundServer {
  const project = entry.steps.length === 4 && entry.steps[0] === "projects" ? entry.steps[1] : undefined;
  const { scope } = source.place.row;
  return { source, entry, project, scope: project === undefined ? scope : "local" };
}

export type Picked =
  | { readonly ok: true; readonly server: FoundServer }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The one server that a name means, or why it is not one. */
export function pickServer(name: string, { servers, problems }: Found, where: Where): Picked {
  const { platform } = surroundings(where.project);
  const here = (server: FoundServer) =>
    server.project === undefined || samePath(server.project, resolve(where.project), platform);
  const asked = servers.filter((server) => where.scope === undefined || server.scope === where.scope);
  const named = asked.filter(({ entry }) => entry.name === name);
  const picked = named.filter(here);
  if (picked.length === 1) return { ok: true, server: picked[0]! };
  if (picked.length > 1) {
    const places = picked.map((server) => `  ${placeWords(server)}`);
    return no(
      `${showName(name)} is configured in ${picked.length} places; say which with --client, --scope or --file:`,
      ...places,
    );
  }
  const elsewhere = named.map((server) => `  --project ${server.project}`);
  if (elsewhere.length > 0) return no(`${showName(name)} is configured for another project; say which:`, ...elsewhere);
  const names = [...new Set(asked.filter(here).map(({ entry }) => entry.name))];
  const near = nearestName(name, names);
  const known = names.length > 0 ? `; there are ${names.map(showName).join(", ")}` : "; no server is configured there";
  return no(
    ...problems,
    `no server ${showName(name)} is configured${near ? `; did you mean ${showName(near)}?` : known}`,
  );
}

/** Where a server stands, and the flags that name the place. */
export function placeWords({ source: { place }, scope, project }: FoundServer): string {
  const { id, title } = place.row;
  const flags = id === "file" ? "" : ` (--client ${id} --scope ${scope})`;
  return `${title}${project === undefined ? "" : `, project ${project}`}: ${place.file}${flags}`;
}

const no = (...problems: readonly string[]): Picked => ({ ok: false, problems });
