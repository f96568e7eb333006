// Reads flags by a table: exact names only, one message that says what is wrong and what is near.

import { parseArgs } from "node:util";

/** One flag of a command. */
export interface OptionSpec {
  /** What its value is, for help; without one it takes none. */
  readonly value?: string;
  /** It may be given several times. */
  readonly many?: true;
  /** What shells offer as its value, where `value` does not spell it (`shadow|enforce`) or name a file. */
  readonly words?: readonly string[];
  readonly help: string;
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

export type Parsed =
  | {
      readonly ok: true;
      /** Of a flag that is given several times, the last. */
      readonly values: ReadonlyMap<string, string>;
      readonly lists: ReadonlyMap<string, readonly string[]>;
      readonly positionals: readonly string[];
    }
  /** One sentence for the user. */
  | { readonly ok: false; readonly problem: string };

/** Parses `argv` strictly: no abbreviations, no unknown flags, no flag twice, no value missing. */
export function parseOptions(argv: readonly string[], table: OptionTable): Parsed {
  const options: Record<string, { type: "string" | "boolean" }> = Object.create(null);
  for (const [name, spec] of Object.entries(table)) options[name] = { type: spec.value ? "string" : "boolean" };
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    if (token.rawName === "-h" && Object.hasOwn(table, "help")) {
      values.set("help", "");
      continue;
    }
    const spec = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (!spec || token.rawName !== `--${token.name}`) return { ok: false, problem: unknownFlag(token.rawName, table) };
    if (values.has(token.name) && !spec.many) return { ok: false, problem: `${token.rawName} is given twice` };
    const needsValue = spec.value !== undefined;
    if (needsValue && (token.value === undefined || (!token.inlineValue && token.value.startsWith("-")))) {
      return { ok: false, problem: `${token.rawName} needs a value: ${spec.value}` };
    }
    if (!needsValue && token.value !== undefined) return { ok: false, problem: `${token.rawName} takes no value` };
    values.set(token.name, token.value ?? "");
    lists.set(token.name, [...(lists.get(token.name) ?? []), token.value ?? ""]);
  }
  return { ok: true, values, lists, positionals };
}

/**
 * Splits the arguments of a command that wraps another: its own flags, and the wrapped command after `--` or from the first
 * argument that is no flag (some launchers take the `--` out).
 */
export function splitWrapped(argv: readonly string[], table: OptionTable): { own: string[]; wrapped: string[] } {
  let i = 0;
  while (i < argv.length) {
    const argument = argv[i]!;
    if (argument === "--") return { own: argv.slice(0, i), wrapped: argv.slice(i + 1) };
    if (!argument.startsWith("-") || argument === "-") break;
    const name = argument.slice(2);
    i += Object.hasOwn(table, name) && table[name]!.value !== undefined ? 2 : 1;
  }
  return { own: argv.slice(0, i), wrapped: argv.slice(i) };
}

function unknownFlag(flag: string, table: OptionTable): string {
  const names = Object.keys(table).map((name) => `--${name}`);
  const near =
    names.find((name) => name.startsWith(flag) || flag.startsWith(name)) ?? names.find((n) => close(n, flag));
  return `unknown flag ${flag}${near ? `; did you mean ${near}?` : `; the flags are ${names.join(", ")}`}`;
}

/** One letter more, less or other. */
function close(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [rest, other] = [a.slice(start), b.slice(start)];
  return rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1);
}

/** The lines of help for a table. */
export function optionHelp(table: OptionTable): string {
  const flags = Object.entries(table).map(([name, spec]) => ({
    flag: `--${name}${spec.value ? ` ${spec.value}` : ""}`,
    help: spec.help,
  }));
  const width = Math.max(...flags.map(({ flag }) => flag.length));
  return flags.map(({ flag, help }) => `  ${flag.padEnd(width)}  ${help}`).join("\n");
}
