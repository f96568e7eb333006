// The command line of `fourgate review`.

import { type Exit, exitWith } from "../run/exit.ts";
import { type ReviewOptions, review } from "../run/review.ts";
import { type OptionTable, optionHelp, parseOptions } from "./options.ts";

export const reviewOptions: OptionTable = {
  diff: { value: "OLD", help: "what this contract means otherwise than OLD, instead of the pages" },
  approve: { help: "write CONTRACTS.approval.json: this contract and the files that decide with it, as they are now" },
  by: { value: "NAME", help: "with --approve: who says so" },
  sign: { value: "KEY", help: "with --approve: sign it with this Ed25519 private key (PEM)" },
  json: { help: "one JSON document on stdout" },
  help: { help: "this text" },
};

export const reviewHelp = `fourgate review: a contract in plain words, for the person who answers for it

Usage: fourgate review CONTRACTS [--diff OLD] [--approve --by NAME [--sign KEY]] [--json]

${optionHelp(reviewOptions)}

For each tool: what leaves the call, who decides with which credential, what makes it say FAIL, what it can never notice, what it costs, and the
worst that it could do if it is wrong. Nothing is started or asked.
Exit status: 0, 2 usage, a contract that cannot be read, or an approval that cannot be written.

Examples:
  fourgate review contract.jsonc
  fourgate review contract.jsonc --diff contract.old.jsonc
  fourgate review contract.jsonc --approve --by "Ada L." --sign ada.pem
`;

/** Runs the command; gives how it ended. */
export async function reviewCommand(argv: readonly string[]): Promise<Exit> {
  const read = readReviewOptions(argv);
  if (read === "help") {
    process.stdout.write(reviewHelp);
    return exitWith(0);
  }
  if (typeof read === "string") {
    process.stderr.write(`fourgate review: error: ${read}\n`);
    return exitWith(2);
  }
  return review(read);
}

/** The options, `help`, or one sentence that says what is wrong with the arguments. */
export function readReviewOptions(argv: readonly string[]): ReviewOptions | string {
  const parsed = parseOptions(argv, reviewOptions);
  if (!parsed.ok) return parsed.problem;
  const { values, positionals } = parsed;
  if (values.has("help")) return "help";
  const [contracts, ...more] = positionals;
  if (!contracts) return "no CONTRACTS: name a contract file";
  if (more.length > 0) return "more than one CONTRACTS; name one (the earlier one goes behind --diff)";
  const by = values.get("by")?.trim();
  if (values.has("approve") && !by) return "--approve needs --by NAME: somebody's word";
  if (by !== undefined && /[\p{C}\u2028\u2029]/u.test(by)) return "--by takes a name in one line";
  for (const name of ["by", "sign"]) {
    if (values.has(name) && !values.has("approve")) return `--${name} goes with --approve`;
  }
  return {
    contracts,
    diff: values.get("diff"),
    json: values.has("json"),
    approveBy: values.has("approve") ? by : undefined,
    sign: values.get("sign"),
  };
}
