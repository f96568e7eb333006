// Asks a person for what the flags left out.

/** A question, and what is wrong with an answer (undefined: nothing). */
export interface Question {
  readonly flag: string;
  readonly text: string;
  /** May be answered with nothing. */
  readonly optional?: true;
  /** Asked until it is answered with nothing. */
  readonly many?: true;
  readonly check?: (answer: string) => string | undefined;
}

/** Shows a prompt and gives what was typed; undefined at the end of the input. */
export type Ask = (prompt: string) => Promise<string | undefined>;

/** What is asked, in order. A question is left out when its flag, or one that stands for it, was given. */
export const QUESTIONS: readonly Question[] = [
  { flag: "tool", text: "The exact name of the tool that writes" },
  { flag: "test-account", text: "The test account that the scan may write to, in words" },
  {
    flag: "id-path",
    text: "Where the answer names the record (like result.structuredContent.id)",
    check: (answer) => (answer.startsWith("result.") ? undefined : "it begins with result."),
  },
  {
    flag: "readback-url",
    text: "The address where the record can be read, with {record_id} in it",
    check: (answer) => (answer.includes("{record_id}") ? undefined : "it needs {record_id}"),
  },
  {
    flag: "arg",
    text: "An argument for the test call, as NAME=VALUE ({run_id} in it differs from run to run); nothing ends the list",
    many: true,
    check: nameAndValue,
  },
  {
    flag: "expect",
    text: "What must stand in the record, as PATH_OF_THE_RECORD=ARGUMENT; nothing ends the list",
    many: true,
    check: nameAndValue,
  },
  {
    flag: "token-env",
    text: "The variable that holds a reader's own credential; nothing if it needs none",
    optional: true,
  },
  {
    flag: "missing-status",
    text: "The status that says that there is no such record (like 404); nothing if there is none",
    optional: true,
    check: (answer) => (/^4\d\d$/.test(answer) ? undefined : "a status from 400 to 499"),
  },
];

function nameAndValue(answer: string): string | undefined {
  return answer.indexOf("=") > 0 ? undefined : "it needs a = between the two";
}

/** Asks for every flag that is not `given`. Gives flags as on a command line, or undefined when the input ended first. */
export async function askForFlags(given: ReadonlySet<string>, ask: Ask): Promise<string[] | undefined> {
  const flags: string[] = [];
  for (const question of QUESTIONS) {
    if (given.has(question.flag)) continue;
    let hint = "";
    for (let count = 0; ; ) {
      const answer = (await ask(`${question.text}${hint}: `))?.trim();
      hint = "";
      if (answer === undefined) return undefined;
      if (answer === "") {
        // A list has at least one item.
        if (question.optional || (question.many && count > 0)) break;
        continue;
      }
      const problem = question.check?.(answer);
      if (problem !== undefined) {
        hint = ` (${problem})`;
        continue;
      }
      flags.push(`--${question.flag}=${answer}`);
      count++;
      if (!question.many) break;
    }
  }
  return flags;
}
