// The servers that MCP clients are configured with, for people and for programs.

import type { ListedServer, Listing } from "../core/config/listing.ts";
import { showLine } from "./characters.ts";
import { sortedJson } from "./json-text.ts";
import { painter } from "./text.ts";

const MOST = 200;

export function clientsText({ servers }: Listing, color: boolean): string {
  if (servers.length === 0) return "no MCP server is configured in the clients that fourgate knows\n";
  const paint = painter(color);
  const groups = new Map<string, ListedServer[]>();
  for (const server of servers) {
    const { title, scope, project, file } = server;
    const head = `${title} (${scope}${project === undefined ? "" : ` ${project}`}) ${file}`;
    groups.set(head, [...(groups.get(head) ?? []), server]);
  }
  const width = (of: (server: ListedServer) => string) => Math.max(...servers.map((server) => of(server).length));
  const name = (server: ListedServer) => showLine(server.name, MOST);
  const command = (server: ListedServer) => showLine(server.command ?? "-", MOST);
  const [names, commands] = [width(name), width(command)];
  const line = (server: ListedServer) => {
    const { wrapped, disabled } = server;
    const state = `${stateWords(server)}${disabled ? ", disabled" : ""}`;
    return `  ${name(server).padEnd(names)}  ${command(server).padEnd(commands)}  ${wrapped ? paint.green(state) : state}`;
  };
  return `${[...groups].map(([head, own]) => [showLine(head, 2 * MOST), ...own.map(line)].join("\n")).join("\n\n")}\n`;
}

function stateWords({ type, wrapped }: ListedServer): string {
  if (wrapped) return "wrapped by fourgate";
  if (type === "remote") return "remote: cannot be wrapped";
  return type === "command" ? "not wrapped" : "has no command: cannot be wrapped";
}

export function clientsJson({ servers, problems }: Listing): string {
  return `${sortedJson({
    clients_version: 1,
    servers: servers.map(({ title, project, command, ...rest }) => ({
      ...rest,
      project: project ?? null,
      command: command ?? null,
    })),
    problems,
  })}\n`;
}
