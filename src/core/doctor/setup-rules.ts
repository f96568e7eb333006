// What stands around a contract: credentials, the server, mode and log, the machine.

import { credentialNames } from "../contract/check.ts";
import { nearestName } from "../contract/nearest.ts";
import type { Facts, Finding, Level, ListedTool } from "./types.ts";

type Said = [level: Level, code: string, text: string];
const section = (name: string, said: readonly Said[]): Finding[] =>
  said.map(([level, code, text]) => ({ section: name, level, code, text }));

export function credentialFindings({ contract, set, leaks }: Facts): Finding[] {
  const names = [...new Set([...(contract?.tools.values() ?? [])].flatMap(credentialNames))].sort();
  const said: Said[] = names.map((name) =>
    set.has(name)
      ? ["ok", "credential_set", `${name} is set here, and withheld from the server`]
      : [
          "fail",
          "credential_unset",
          `${name} is not set or empty; set it where the client starts fourgate, or every check that needs it is UNKNOWN`,
        ],
  );
  for (const { name, seenAs } of leaks) {
    said.push([
      "warn",
      "credential_seen",
      `the value of ${name} is also in ${seenAs}, which the server sees; give the reader a credential of its own`,
    ]);
  }
  if (names.length === 0) said.push(["info", "no_credential", "the checks need no credential"]);
  return section("Credentials", said);
}

/** Names that are shown of a list. */
const MAX_NAMES = 20;

export function serverFindings({ server, contract, bypasses }: Facts): Finding[] {
  const said: Said[] = [];
  switch (server.type) {
    case "none":
      said.push([
        "skip",
        "no_server",
        "no server command: put it after -- to have its tools compared with the contract",
      ]);
      break;
    case "not_started":
      said.push(["fail", "server_not_started", `the server could not be started: ${server.code}`]);
      break;
    case "no_session":
      said.push(["fail", server.reason, `there was no session with the server: ${server.reason}`]);
      break;
    case "session": {
      const name = [server.name, server.version].filter((part) => part !== null).join(" ") || "a server without a name";
      said.push([
        "ok",
        "session",
        `${name} speaks ${server.protocolVersion ?? "no known revision"} and lists ${server.tools.length} tools`,
      ]);
      said.push(...toolsSaid([...(contract?.tools.keys() ?? [])], server.tools));
    }
  }
  if ("noise" in server && server.noise > 0) {
    said.push([
      "warn",
      "stdout_noise",
      `the server printed ${server.noise} lines to stdout that are no message; some clients end the session there`,
    ]);
  }
  for (const place of bypasses) {
    said.push([
      "warn",
      "guard_bypassed",
      `${place} starts this server without a guard; fourgate clients wrap puts one before it`,
    ]);
  }
  return section("MCP server", said);
}

function toolsSaid(contracted: readonly string[], tools: readonly ListedTool[]): Said[] {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const said = contracted.map((name): Said => {
    const tool = known.get(name);
    if (tool === undefined) {
      const near = nearestName(name, [...known.keys()]);
      return [
        "fail",
        "tool_not_listed",
        `${name} is not among the server's tools${near === undefined ? "" : `; did you mean ${near}?`}`,
      ];
    }
    if (tool.readOnly === true)
      return ["info", "tool_read_only", `${name} is listed; the server says that it only reads`];
    return ["ok", "tool_listed", `${name} is listed`];
  });
  const open = tools
    .filter(({ name, readOnly }) => readOnly !== true && !contracted.includes(name))
    .map(({ name }) => name);
  if (open.length > 0) {
    const shown = open.slice(0, MAX_NAMES).join(", ");
    const more = open.length > MAX_NAMES ? ` and ${open.length - MAX_NAMES} more` : "";
    said.push(["info", "tools_without_contract", `not said to be read-only, and without a contract: ${shown}${more}`]);
  }
  return said;
}

/** Fewer recorded calls tell nothing about a contract. */
const ENOUGH_CALLS = 3;

const NEVER_MATCHED: Readonly<Record<string, string>> = {
  required_field_missing: "a path or pattern of extract matched in none of them",
  success_without_record_id: "the record id was found in none of them",
};

export function logFindings({ mode, log, contract, approval }: Facts): Finding[] {
  const said: Said[] = [
    mode === "enforce"
      ? ["warn", "enforce", "mode enforce: let it run in shadow first, and read what it would have said"]
      : ["ok", "shadow", "mode shadow: outcomes are recorded and nothing is changed"],
  ];
  if (approval !== undefined) said.push([approval.refuse ? "fail" : "warn", "not_approved", approval.problem]);
  if (log.path === undefined) {
    said.push(["warn", "no_log", "no --log: records go to stderr, which many clients throw away"]);
  } else if (log.problem !== undefined) {
    said.push(["fail", "log_unusable", `${log.path}: ${log.problem}`]);
  } else {
    said.push(["ok", "log_usable", `${log.path} ${log.exists ? "can be appended to" : "can be made"}`]);
  }
  if (log.history === undefined) return section("Mode and log", said);
  for (const tool of contract?.tools.keys() ?? []) {
    const reasons = log.history.get(tool);
    if (reasons === undefined) {
      said.push(["info", "no_calls", `the log holds no call of ${tool}`]);
      continue;
    }
    const calls = [...reasons.values()].reduce((sum, count) => sum + count, 0);
    const [only, ...others] = reasons.keys();
    const never = others.length === 0 && calls >= ENOUGH_CALLS ? NEVER_MATCHED[only!] : undefined;
    if (never !== undefined) said.push(["warn", "never_matched", `${tool}: of ${calls} recorded calls, ${never}`]);
  }
  return section("Mode and log", said);
}

export function machineFindings({ about }: Facts): Finding[] {
  const said: Said[] = [["info", "versions", `fourgate ${about.fourgate}, Node ${about.node}, ${about.platform}`]];
  if (about.proxy.length > 0) {
    said.push(["info", "proxy", `read-backs over HTTPS go through a proxy: ${about.proxy.join(", ")}`]);
  }
  if (about.environmentReadable) {
    said.push([
      "info",
      "environment_readable",
      "any program of this user, the server too, can read fourgate's own environment under /proc; put credentials into secret_files, or start a server that is not trusted with --sandbox, as another user or in a container",
    ]);
    if (about.memoryReadable !== undefined) {
      const how = about.memoryReadable ? "can" : "cannot";
      said.push([
        "info",
        "memory_readable",
        `programs of this user ${how} read each other's memory here (kernel.yama.ptrace_scope)`,
      ]);
    }
    said.push([
      "info",
      "sandbox",
      about.sandbox
        ? "bubblewrap is there: --sandbox keeps the server from seeing fourgate's processes"
        : "bubblewrap is not there, so --sandbox cannot be used; see docs/security.md",
    ]);
  }
  return section("Machine", said);
}
