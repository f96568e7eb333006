// The command line of `fourgate init`: flags, or questions on a terminal.

import { createInterface } from "node:readline";
import type { Auth, IdSource, InitAnswers } from "../core/init/answers.ts";
import { type Exit, exitWith } from "../run/exit.ts";
import { askForFlags } from "../run/init/ask.ts";
import { initFromServer } from "../run/init/from-server.ts";
import { nextSteps, nextStepsOfDraft } from "../run/init/next-steps.ts";
import { type InitPlace, type InitResult, init } from "../run/init.ts";
import { type OptionTable, optionHelp, type Parsed, parseOptions } from "./options.ts";

const DEFAULT_DIR = "./fourgate-config";

export const initOptions: OptionTable = {
  tool: { value: "NAME", many: true, help: "the tool to protect; with --from-server only these (repeat)" },
  "test-account": { value: "LABEL", help: "what the scan may write to, in words" },
  "id-path": { value: "PATH", help: "where the answer names the record, from result. on" },
  "id-regex": { value: "PATTERN", help: "or: a pattern with one group, in the answer's first text" },
  "id-json-field": { value: "FIELD", help: "or: a member of the JSON object in the answer's first text" },
  "readback-url": { value: "URL", help: "where the record is read, with {record_id} in it" },
  expect: {
    value: "PATH=ARG",
    many: true,
    help: "a path of the record, and the argument that must stand there (repeat)",
  },
  arg: {
    value: "NAME=TEXT",
    many: true,
    help: "an argument of the test call; {run_id} in it differs from run to run (repeat)",
  },
  "arg-json": { value: "NAME=JSON", many: true, help: "the same as JSON (repeat)" },
  "token-env": { value: "NAME", help: "the variable with the reader's own credential" },
  auth: { value: "bearer|header|basic", help: "how it is sent (default bearer)" },
  "auth-header": { value: "NAME", help: "with --auth header: the header" },
  "username-env": { value: "NAME", help: "with --auth basic: the variable with the user name" },
  "missing-status": { value: "CODE", many: true, help: "a status that says that there is no such record (repeat)" },
  server: { value: "LABEL", help: "the server's name in records and verdicts (default server)" },
  dir: { value: "DIR", help: `where the files go (default ${DEFAULT_DIR})` },
  force: { help: "replace the files of an earlier init" },
  "from-server": { help: "start the server for its list of tools, and write a draft that marks what to decide" },
  help: { help: "this text" },
};

export const initHelp = `fourgate init: write a contract and a scan that proves it

Usage: fourgate init [options] -- COMMAND [ARGS...]
       fourgate init --from-server [--tool NAME]... [--dir DIR] [--force] -- COMMAND [ARGS...]

${optionHelp(initOptions)}

COMMAND is the server. On a terminal what is missing is asked for. Nothing is started (but with --from-server, for its list of tools alone),
nothing is asked of a network, and no variable is read.
Exit status: 0 the files are written, 2 they are not.

Examples:
  fourgate init --from-server -- npx -y some-mcp-server
  fourgate init --tool create_issue --test-account qa-project --id-path result.structuredContent.id \\
    --readback-url 'https://api.example.com/issues/{record_id}' --token-env TRACKER_READ_TOKEN --missing-status 404 \\
    --arg title='fourgate {run_id}' --expect title=title -- npx -y some-mcp-server
`;

/** Runs the command; gives how it ended. */
export async function initCommand(argv: readonly string[]): Promise<Exit> {
  const split = argv.indexOf("--");
  const own = split < 0 ? argv : argv.slice(0, split);
  const command = split < 0 ? [] : argv.slice(split + 1);
  let parsed = parseOptions(own, initOptions);
  if (parsed.ok && parsed.values.has("help")) {
    process.stdout.write(initHelp);
    return exitWith(0);
  }
  const early = parsed.ok ? commandProblem(parsed, split, command) : parsed.problem;
  if (early !== undefined) return refuse(early);
  if (parsed.ok && !parsed.values.has("from-server") && isMissing(parsed) && onTerminal()) {
    const { ask, close } = terminal();
    const asked = await askForFlags(givenBy(parsed), ask);
    close();
    if (asked === undefined) return refuse("the input ended before all was said; nothing was written");
    parsed = parseOptions([...own, ...asked], initOptions);
  }
  if (!parsed.ok) return refuse(parsed.problem);
  const place: InitPlace = { dir: parsed.values.get("dir") ?? DEFAULT_DIR, force: parsed.values.has("force") };
  const [program, ...args] = command;
  if (parsed.values.has("from-server")) {
    const result = await initFromServer([program!, ...args], parsed.lists.get("tool") ?? [], place);
    return end(result, result.ok ? nextStepsOfDraft(result.written[0]!, result.count ?? 0) : "");
  }
  const answers = readAnswers(parsed, command);
  if (typeof answers === "string") return refuse(answers);
  const result = await init(answers, place);
  return end(result, result.ok ? nextSteps(answers, place, result, process.env) : "");
}

function end(result: InitResult, steps: string): Exit {
  if (!result.ok) return refuse(result.problem);
  process.stdout.write(steps);
  return exitWith(0);
}

function refuse(problem: string): Exit {
  process.stderr.write(`fourgate init: error: ${problem.replaceAll("\n", " ")}\n`);
  return exitWith(2);
}

type Flags = Extract<Parsed, { ok: true }>;

const IDS = ["id-path", "id-regex", "id-json-field"];
const OF_A_CONTRACT = [
  ...["test-account", ...IDS, "readback-url", "expect", "arg", "arg-json", "token-env", "auth", "auth-header"],
  ...["username-env", "missing-status", "server"],
];

function commandProblem({ values, positionals }: Flags, split: number, command: readonly string[]): string | undefined {
  if (positionals.length > 0) return "the server's command stands after --";
  if (split < 0) return "no server command: put it after --, as in: -- npx -y some-mcp-server";
  if (!command[0]) return "the server command after -- is empty";
  if (values.get("dir") === "") return "--dir takes a directory";
  const odd = values.has("from-server") ? OF_A_CONTRACT.find((name) => values.has(name)) : undefined;
  return odd === undefined ? undefined : `--${odd} says what --from-server leaves to the draft; give one of the two`;
}

const isMissing = ({ values }: Flags): boolean =>
  !["tool", "test-account", "readback-url", "expect"].every((name) => values.has(name)) ||
  !IDS.some((name) => values.has(name));

const onTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Flags that need no question. */
function givenBy({ values }: Flags): Set<string> {
  const given = new Set(values.keys());
  if (IDS.some((name) => given.has(name))) given.add("id-path");
  if (given.has("arg-json")) given.add("arg");
  return given;
}

function terminal() {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const waiting: string[] = [];
  let take: ((line: string | undefined) => void) | undefined;
  let ended = false;
  lines.on("line", (line) => {
    if (take) take(line);
    else waiting.push(line);
  });
  lines.on("close", () => {
    ended = true;
    take?.(undefined);
  });
  const ask = (prompt: string): Promise<string | undefined> => {
    process.stderr.write(prompt);
    return new Promise((done) => {
      if (waiting.length > 0 || ended) return done(waiting.shift());
      take = (line) => {
        take = undefined;
        done(line);
      };
    });
  };
  // A terminal that is still listened to keeps the process.
  return { ask, close: () => lines.close() };
}

/** The answers, or one sentence that says what is missing or does not fit together. */
function readAnswers(flags: Flags, command: readonly string[]): InitAnswers | string {
  const { values, lists } = flags;
  for (const name of ["tool", "test-account", "readback-url", "expect"]) {
    if (!values.has(name)) return `--${name} is missing`;
  }
  const tools = lists.get("tool") ?? [];
  if (tools.length > 1) return "--tool is given twice; without --from-server it takes one tool";
  const ids = IDS.filter((name) => values.has(name));
  if (ids.length !== 1)
    return `exactly one of --id-path, --id-regex and --id-json-field is needed, ${ids.length} are given`;
  const auth = readAuth(values);
  if (typeof auth === "string") return auth;
  const given = readArguments(lists.get("arg") ?? [], lists.get("arg-json") ?? []);
  if (typeof given === "string") return given;
  const statuses = lists.get("missing-status") ?? [];
  if (!statuses.every((status) => /^\d{3}$/.test(status))) return "--missing-status takes a status of three digits";
  const expect = (lists.get("expect") ?? []).map((pair): [string, string] => {
    const at = pair.lastIndexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  return {
    tool: tools[0]!,
    testAccount: values.get("test-account")!,
    id: readId(ids[0]!, values.get(ids[0]!)!),
    readbackUrl: values.get("readback-url")!,
    expect,
    arguments: given,
    tokenEnv: values.get("token-env"),
    auth,
    missingStatuses: statuses.map(Number),
    server: values.get("server") ?? "server",
    command,
  };
}

function readId(flag: string, value: string): IdSource {
  if (flag === "id-path") return { type: "path", path: value };
  return flag === "id-regex" ? { type: "regex", pattern: value } : { type: "json_field", field: value };
}

function readAuth(values: ReadonlyMap<string, string>): Auth | string {
  const scheme = values.get("auth") ?? "bearer";
  const [header, usernameEnv] = [values.get("auth-header"), values.get("username-env")];
  if (values.has("auth") && !values.has("token-env"))
    return "--auth needs --token-env: the variable with the credential";
  if (header !== undefined && scheme !== "header") return "--auth-header goes with --auth header";
  if (usernameEnv !== undefined && scheme !== "basic") return "--username-env goes with --auth basic";
  if (scheme === "bearer") return { scheme };
  if (scheme === "header") return header ? { scheme, header } : "--auth header needs --auth-header";
  if (scheme === "basic") return usernameEnv ? { scheme, usernameEnv } : "--auth basic needs --username-env";
  return "--auth is bearer, header or basic";
}

function readArguments(texts: readonly string[], documents: readonly string[]): Map<string, unknown> | string {
  const given = new Map<string, unknown>();
  for (const [flag, pair] of [
    ...texts.map((pair) => ["--arg", pair]),
    ...documents.map((pair) => ["--arg-json", pair]),
  ]) {
    const at = pair!.indexOf("=");
    if (at <= 0) return `${flag} takes NAME=VALUE`;
    const [name, value] = [pair!.slice(0, at), pair!.slice(at + 1)];
    if (given.has(name)) return "an argument is given twice by --arg and --arg-json";
    try {
      given.set(name, flag === "--arg" ? value : JSON.parse(value));
    } catch {
      return "--arg-json takes NAME=JSON, and what stands behind the = is no JSON";
    }
  }
  return given;
}
