// What must hold after a session, whatever struck it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { OutcomeLine } from "../e2e/harness.ts";
import { expectNothingLeft } from "../io/processes.ts";
import type { Asked, Seen } from "./play.ts";
import { filesBelow, TOOLS } from "./stage.ts";

const VERDICT = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\},?/;

/** Reasons that the machine may be blamed for when it is too slow. */
const TOO_SLOW = new Set(["verifier_timeout", "readback_timeout"]);

/** Throws when anything is not as it must be. */
export async function judge(seen: Seen): Promise<void> {
  const delivered = traffic(seen);
  records(seen, delivered);
  exitStatus(seen);
  await expectNothingLeft(seen.stage.session.mark);
  await lifelineGone(seen);
  nothingPrivate(seen);
}

/** The line with which the server answers; what a client without a guard would have seen. */
function answerTo({ id, tool }: Asked): string {
  const record = `r${id}`;
  const result =
    tool === undefined
      ? {}
      : { content: [{ type: "text", text: `Created ${record}` }], structuredContent: { id: record } };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** Bytes as the server sent them, each line once; gives what was answered, and by which of them with a verdict. */
function traffic({ stage, fault, asked, out }: Seen): { readonly asked: Asked; readonly verdict: boolean }[] {
  const lines = out.split("\n");
  const rest = lines.pop()!;
  if (stage.mode === "shadow") {
    const all = asked.map((one) => `${answerTo(one)}\n`).join("");
    expect(all.startsWith(out), "shadow: the server's own bytes").toBe(true);
  } else if (fault.dies === undefined) expect(rest, "a torn line").toBe("");
  const open = new Map(asked.map((one) => [answerTo(one), one]));
  const delivered = lines.map((line) => {
    const original = line.replace(VERDICT, "");
    const one = open.get(original);
    expect(one, `a line that the server did not send, or twice: ${line}`).toBeDefined();
    open.delete(original);
    const verdict = original !== line;
    if (verdict) expect(TOOLS[one!.tool!]!.never, "a verdict without a FAIL").toBe("pass");
    return { asked: one!, verdict };
  });
  // Nothing that passes waits for anything.
  const free = delivered.map((one) => one.asked).filter(({ tool }) => !isProtected(tool));
  expect(free).toEqual([...free].sort((a, b) => a.id - b.id));
  if (fault.dies === undefined) expect([...open.values()], "answers that are lost").toEqual([]);
  return delivered;
}

const isProtected = (tool: string | undefined) => tool !== undefined && TOOLS[tool]!.protected;

function records(seen: Seen, delivered: ReturnType<typeof traffic>): void {
  const { stage, fault, asked, logText, onStderr } = seen;
  const lines = logText.split("\n").filter((line) => line !== "");
  const whole = lines.flatMap((line) => parsed(line) ?? []);
  // Only a write that was cut short leaves half a line: by SIGKILL, or by a full disk.
  if (fault.dies !== "guard" && fault.name !== "disk-full") expect(whole).toHaveLength(lines.length);
  const all = [...new Map([...whole, ...onStderr].map((record) => [record.seq, record])).values()];
  for (const record of all) {
    const { never } = TOOLS[record.tool]!;
    expect(record.status, `${record.tool} is ${record.status}/${record.reason_code}`).not.toBe(never);
    expect(record.reason_code, `${JSON.stringify(record)} ${stage.session.stderr}`).not.toBe("internal_error");
    if (fault.harmless && record.status === "unknown" && record.reason_code !== "overlapped") {
      expect(TOO_SLOW, record.tool).toContain(record.reason_code);
    }
  }
  const promised = delivered.filter((one) => isProtected(one.asked.tool));
  if (fault.dies === "guard") {
    // Promised once the answer was delivered; in shadow the answer does not wait for the check.
    if (stage.mode === "enforce") {
      for (const tool of Object.keys(TOOLS)) {
        const answers = promised.filter((one) => one.asked.tool === tool).length;
        const written = all.filter((record) => record.tool === tool).length;
        expect(written, `records of ${tool}`).toBeGreaterThanOrEqual(answers);
      }
    }
    return;
  }
  const numbers = all.map((record) => record.seq).sort((a, b) => a - b);
  expect(numbers, "a record is missing").toEqual(numbers.map((_, i) => i + 1));
  expect(all.length).toBeGreaterThanOrEqual(promised.length);
  const calls = asked.filter(({ tool }) => isProtected(tool)).length;
  if (fault.dies === undefined) {
    expect(all).toHaveLength(calls);
    const failed = all.filter((record) => record.status === "fail").length;
    if (stage.mode === "enforce") expect(delivered.filter((one) => one.verdict)).toHaveLength(failed);
  } else expect(all.length).toBeLessThanOrEqual(calls);
}

function parsed(line: string): OutcomeLine | undefined {
  try {
    return JSON.parse(line) as OutcomeLine;
  } catch {
    return undefined;
  }
}

function exitStatus({ fault, exit }: Seen): void {
  if (fault.exit !== undefined) expect(exit).toBe(fault.exit);
  else if (fault.dies === undefined) expect(exit).toBe(0);
  else if (fault.dies !== "client") expect(exit).toBe(137);
}

async function lifelineGone({ stage }: Seen): Promise<void> {
  const runs = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("read -r what group");
    } catch {
      return false;
    }
  };
  await expect.poll(() => stage.unmarked.filter(runs), { timeout: 10_000, interval: 20 }).toEqual([]);
}

function nothingPrivate({ stage }: Seen): void {
  for (const name of ["tmp", "home"]) expect(filesBelow(join(stage.folder, name))).toEqual([]);
  const files = filesBelow(stage.folder).filter((file) => !file.startsWith(join(stage.folder, "dist")));
  for (const file of files) {
    if (existsSync(file)) expect(readFileSync(file, "utf8").includes(stage.secret), file).toBe(false);
  }
  expect(stage.session.stderr.includes(stage.secret), "stderr").toBe(false);
}
