// `fourgate review`: a contract in plain words for the person who answers for it, what changed in it, and that person's word.

import type { KeyObject } from "node:crypto";
import { formatIssue } from "../core/contract/issue.ts";
import { contractChanges } from "../core/review/change.ts";
import { lintContract } from "../core/review/lint.ts";
import { toolPages } from "../core/review/tool-page.ts";
import { reviewJson, reviewText } from "../report/index.ts";
import { type Exit, exitWith } from "./exit.ts";
import { loadContract } from "./load-contract.ts";
import { approvalState, approve, readKey } from "./review/approve.ts";
import { version } from "./version.ts";

export interface ReviewOptions {
  readonly contracts: string;
  /** The earlier file that it is compared with. */
  readonly diff: string | undefined;
  readonly json: boolean;
  /** Who approves; undefined when nobody does. */
  readonly approveBy: string | undefined;
  /** PEM file of the key that signs. */
  readonly sign: string | undefined;
}

/** Never rejects for a user's mistake. */
export async function review(options: ReviewOptions): Promise<Exit> {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const now = await loadContract(options.contracts);
  const before = options.diff === undefined ? undefined : await loadContract(options.diff);
  for (const read of [now, before]) {
    if (read?.ok === false)
      for (const issue of read.issues) say(`fourgate review: contract error: ${formatIssue(issue)}`);
  }
  if (!now.ok || before?.ok === false) return exitWith(2);
  const { contract } = now;
  let key: KeyObject | undefined;
  if (options.sign !== undefined) {
    const read = readKey(options.sign, "private");
    if (typeof read === "string") {
      say(`fourgate review: error: ${read}`);
      return exitWith(2);
    }
    key = read;
  }
  const changes = before && contractChanges(before.contract, contract);
  const told = {
    file: options.contracts,
    pages: toolPages(contract),
    lints: lintContract(contract),
    changes,
    approval: approvalState(contract, undefined),
  };
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  process.stdout.write(options.json ? reviewJson(told, version) : reviewText(told, color));
  if (options.approveBy === undefined) return exitWith(0);
  const done = await approve(contract, options.approveBy, new Date().toISOString(), key);
  if ("problem" in done) {
    say(`fourgate review: error: ${done.problem}`);
    return exitWith(2);
  }
  const covered = done.covered.length === 0 ? "" : ` and ${done.covered.join(", ")}`;
  say(
    `fourgate review: ${options.contracts}.approval.json: approved by ${options.approveBy}: what the contract means${covered}`,
  );
  return exitWith(0);
}
