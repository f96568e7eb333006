// Whether an entry starts fourgate's guard, and where in its arguments the server's own command stands.

/** Flags of guard that take no value; every other one does. */
const BARE_FLAGS: readonly string[] = ["--shadow-hold", "--sandbox", "--require-approval", "--verbose", "--help"];

const PROGRAM = /(?:^|[/\\])fourgate(?:\.cmd|\.exe|\.ps1)?$/i;
/** What stands before `guard` when something else starts fourgate: its main file, or its name for npx. */
const SCRIPT = /(?:^|[/\\])main\.[cm]js$|(?:^|[/\\])fourgate(?:\.[cm]js)?$|^fourgate@[^/\\]*$/i;

/** Where the server's command stands in `args`; undefined when guard is not what the entry starts. */
export function wrappedCommandAt(command: string, args: readonly string[]): number | undefined {
  const guard = args.findIndex(
    (arg, i) => arg === "guard" && (i === 0 ? PROGRAM.test(command) : SCRIPT.test(args[i - 1]!)),
  );
  if (guard < 0) return undefined;
  let contracts = false;
  let i = guard + 1;
  for (; i < args.length; ) {
    const arg = args[i]!;
    if (arg === "--") {
      i += 1;
      break;
    }
    if (!arg.startsWith("--")) break;
    contracts ||= arg === "--contracts" || arg.startsWith("--contracts=");
    i += arg.includes("=") || BARE_FLAGS.includes(arg) ? 1 : 2;
  }
  return contracts ? Math.min(i, args.length) : undefined;
}
