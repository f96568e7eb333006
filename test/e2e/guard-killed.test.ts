// A guard that is killed outright cannot end anything itself: what it started ends all the same, and what it promised is in the log.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectNothingLeft } from "../io/processes.ts";
import { answerOf, warm } from "./checked.ts";
import { contractFor, fixture, guard, node, PASSES, scratch } from "./harness.ts";

describe.runIf(process.platform === "linux")("a guard that is killed with SIGKILL", () => {
  test("leaves no verifier behind, and no server that ignores the end of its input", async () => {
    const folder = scratch();
    const hangs = ["sh", "-c", `read -r input; : >"$0/begun"; sleep 600`, folder];
    const session = guard({ contract: contractFor(hangs), server: [node, fixture("ignores-eof.mjs"), "--deaf"] });
    await warm(session);
    session.call(1);
    await session.until(() => existsSync(join(folder, "begun")));
    expect(session.left().map((each) => each.split(" ")[1])).toContain("sleep");
    // Whoever kills a guard may well kill its group.
    process.kill(-session.child.pid!, "SIGKILL");
    expect(await session.exited).toBe(137);
    await expectNothingLeft(session.mark);
  });

  test("has written the record of each answer that the client got in enforce mode", async () => {
    const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] });
    for (let id = 1; id <= 8; id++) {
      session.call(id);
      expect(await session.next()).toBe(answerOf(id));
    }
    session.child.kill("SIGKILL");
    await session.exited;
    expect(readFileSync(session.logFile, "utf8").trimEnd().split("\n")).toHaveLength(8);
  });
});
