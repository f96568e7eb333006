// The command line of `fourgate verify`.

import { type VerifyOptions, verify } from "../run/verify.ts";
import { type OptionTable, optionHelp, parseOptions } from "./options.ts";

export const verifyOptions: OptionTable = {
  tool: { value: "NAME", help: "which tool's read-back, when FILE is a contract" },
  field: {
    value: "NAME=VALUE",
    many: true,
    help: "a field's value; JSON as it is, anything else as text; repeat for more",
  },
  "show-values": { help: "show values of fields and of the record" },
  json: { help: "the dry run as one JSON document" },
  help: { help: "this text" },
};

export const verifyHelp = `fourgate verify: run one read-back

Usage: fourgate verify FILE [--tool NAME] [--field NAME=VALUE]... [--show-values] [--json]

${optionHelp(verifyOptions)}

FILE is a read-back (JSON, JSONC or YAML), or a contract with readback in it.

At a terminal, or with a flag other than --tool: the dry run. It says what it asks, what came (structure only, unless
--show-values), how each value compared, and what an UNKNOWN means and how to mend it.
Exit status: 0 PASS, 1 FAIL or UNKNOWN, 2 usage or configuration.

Otherwise: a verifier. stdin is one JSON object of the fields; PASS and FAIL are one JSON object on stdout and exit status 0;
anything else is exit status 1, nothing on stdout, the reason on stderr.

Example:
  fourgate verify readback.json --field issue_id=42 --field title="Fix the door"
`;

/** Runs the command; gives the exit status. */
export async function verifyCommand(argv: readonly string[]): Promise<number> {
  const read = readVerifyOptions(argv);
  if (read === "help") {
    process.stdout.write(verifyHelp);
    return 0;
  }
  if (typeof read === "string") {
    process.stderr.write(`fourgate verify: error: ${read}\n`);
    return 2;
  }
  const { code, stdout, stderr } = await verify({
    ...read,
    environment: process.env,
    elapsedMs: () => performance.now(),
    stdin: readStdin,
  });
  await write(process.stderr, stderr);
  await write(process.stdout, stdout);
  return code;
}

/** Writes all of a text, or as much as the reader at the other end wants. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.on("error", () => resolve());
    stream.write(text, () => resolve());
  });
}

type Given = Omit<VerifyOptions, "environment" | "elapsedMs" | "stdin">;

/** The options, `help`, or one sentence that says what is wrong with the arguments. */
export function readVerifyOptions(argv: readonly string[], terminal = process.stdin.isTTY === true): Given | string {
  const parsed = parseOptions(argv, verifyOptions);
  if (!parsed.ok) return parsed.problem;
  const { values, lists, positionals } = parsed;
  if (values.has("help")) return "help";
  const [file, ...more] = positionals;
  if (!file) return "no FILE: name a read-back file or a contract";
  if (more.length > 0) return "more than one FILE; name one";
  const showValues = values.has("show-values");
  const json = values.has("json");
  const given = lists.get("field");
  const fields = new Map<string, string>();
  for (const text of given ?? []) {
    const at = text.indexOf("=");
    if (at < 1) return "--field takes NAME=VALUE";
    const name = text.slice(0, at);
    if (fields.has(name)) return "--field gives a name twice";
    fields.set(name, fieldValue(text.slice(at + 1)));
  }
  const explain = terminal || given !== undefined || showValues || json;
  return {
    file,
    tool: values.get("tool"),
    fields: given !== undefined || terminal ? fields : undefined,
    explain,
    showValues,
    json,
  };
}

/** What is JSON is taken as that, digit for digit; everything else is a text. */
function fieldValue(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

async function readStdin(mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(chunks);
}
