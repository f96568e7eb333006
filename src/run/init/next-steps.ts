// What a person does after init: the commands, ready to be run, and what is easily overlooked. ASCII.

import { join } from "node:path";
import type { InitAnswers } from "../../core/init/answers.ts";
import { CONTRACT_FILE, SCAN_FILE } from "../../core/init/documents.ts";
import type { Environment } from "../../io/environment.ts";
import { asciiText } from "../../report/index.ts";
import type { InitPlace, InitResult } from "../init.ts";
import { quoted } from "../scan/repro.ts";

export function nextSteps(
  answers: InitAnswers,
  { dir }: InitPlace,
  { written, madeAbsolute }: Extract<InitResult, { ok: true }>,
  environment: Environment,
): string {
  const [contract, scan, log] = [join(dir, CONTRACT_FILE), join(dir, SCAN_FILE), join(dir, "outcomes.jsonl")];
  const guard = ["--contracts", contract, "--server", answers.server, "--log", log, "--", ...answers.command];
  const command = (...words: readonly string[]) => `  fourgate ${words.map(quoted).join(" ")}`;
  const credentials = [answers.tokenEnv, answers.auth.scheme === "basic" ? answers.auth.usernameEnv : undefined];
  const unset = credentials.filter((name) => name !== undefined && !environment[name]);
  return asciiText(
    [
      "Written:",
      ...written.map((path) => `  ${path}`),
      "",
      "Next:",
      command("doctor", ...guard),
      command("scan", scan, "--confirm-test-account", answers.testAccount),
      command("guard", ...guard),
      command("summary", log),
      "",
      "The scan writes for real, to the test account. guard runs in shadow mode: it records, and changes nothing.",
      ...(madeAbsolute
        ? [`Relative paths of the server command stand in ${SCAN_FILE} as absolute ones, since it runs there.`]
        : []),
      ...unset.map((name) => `${name} is not set here; set it where the client starts fourgate.`),
      ...(answers.missingStatuses.length === 0
        ? ["Without --missing-status a record that is not there stays UNKNOWN, and is never a FAIL."]
        : []),
      "",
    ].join("\n"),
  );
}

export function nextStepsOfDraft(path: string, count: number): string {
  return asciiText(
    [
      "Written:",
      `  ${path}: ${count} ${count === 1 ? "tool that is" : "tools that are"} not said to be read-only`,
      "",
      'Next: look at each DECIDE in it, take out the tools that need no check and the line "draft", and then',
      `  fourgate doctor --contracts ${quoted(path)}`,
      "Until then guard, scan and doctor refuse it. The server was started for its list of tools, and ended.",
      "",
    ].join("\n"),
  );
}
