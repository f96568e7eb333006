// PASS at the first match, FAIL only when all attempts agree, UNKNOWN otherwise; and when another attempt is begun.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterAttempt, startAttempts } from "../../../src/core/readback/attempts.ts";
import type { Finding } from "../../../src/core/readback/types.ts";
import { doubt, fail, gone, match, play } from "./playbook.ts";

describe("a match", () => {
  test("at once is the end", () => play().sees(match).ends(match, 1));
  test("after failures is PASS", () => {
    play().sees(fail()).again(100).sees(fail("field_mismatch")).again(100).sees(match).ends(match, 3);
  });
  test("after doubts is PASS", () => play().sees(doubt("readback_error")).again(100).sees(match).ends(match, 2));
  test("counts before the settle time too", () => play({ settleMs: 60_000 }).sees(match).ends(match, 1));
});

describe("a failure", () => {
  test("that all attempts saw is FAIL", () => {
    play()
      .sees(fail())
      .again(100)
      .sees(fail())
      .again(100)
      .sees(fail())
      .ends({ type: "fail", reason: "record_missing" }, 3);
  });
  test("of the only attempt is FAIL", () => play({ attempts: 1 }).sees(fail()).ends({ type: "fail" }, 1));
  test("of another kind than before is UNKNOWN", () => {
    play({ attempts: 2 }).sees(fail()).again(100).sees(fail("field_mismatch")).ends(doubt("readback_inconsistent"), 2);
  });
  test("with other values than before is UNKNOWN", () => {
    play({ attempts: 2 })
      .sees(fail("field_mismatch", "a"))
      .again(100)
      .sees(fail("field_mismatch", "b"))
      .ends(doubt("readback_inconsistent"), 2);
  });
  test("after a doubt is UNKNOWN", () => {
    play({ attempts: 2 })
      .sees(doubt("readback_timeout"))
      .again(100)
      .sees(fail())
      .ends(doubt("readback_inconsistent"), 2);
  });
  test("before a doubt is UNKNOWN", () => {
    play({ attempts: 2 }).sees(fail()).again(100).sees(doubt("readback_error")).ends(doubt("readback_inconsistent"), 2);
  });
});

describe("a doubt", () => {
  test("of all attempts keeps the last reason", () => {
    play({ attempts: 2 })
      .sees(doubt("readback_timeout"))
      .again(100)
      .sees(doubt("readback_error"))
      .ends(doubt("readback_error"), 2);
  });
  test.each(["readback_selector_invalid", "credential_missing"] as const)("%s is not tried again", (reason) => {
    play({ attempts: 5 }).sees(doubt(reason)).ends(doubt(reason), 1);
  });
  test("about the shape waits its interval like any other (defect D18)", () => {
    play({ intervalMs: 300, attempts: 2 }).sees(doubt("readback_shape_invalid")).again(300);
  });
  test("with a time to wait waits that long", () => {
    play().sees(doubt("readback_unconfirmed", 1000)).again(1000).sees(match).ends(match, 2);
  });
  test("with a time to wait that is shorter than the interval waits the interval", () => {
    play().sees(doubt("readback_unconfirmed", 5)).again(100);
  });
  test("with a time to wait that there is not ends", () => {
    play().sees(doubt("readback_unconfirmed", 1490)).ends(doubt("readback_unconfirmed"), 1);
  });
});

describe("time", () => {
  test("another attempt is only begun when one like the longest so far fits", () => {
    play({ timeoutMs: 1000 }).sees(fail(), 400).again(100).sees(fail(), 100).ends({ type: "fail" }, 2);
    play({ timeoutMs: 1000 }).sees(fail(), 450).again(100).sees(fail(), 450).ends({ type: "fail" }, 2);
    play({ timeoutMs: 1000 }).sees(fail(), 451).ends({ type: "fail" }, 1);
  });
  test("an interval of nothing is no pause", () => play({ intervalMs: 0 }).sees(fail()).again(0));
});

describe("settling", () => {
  test("absence before the settle time is UNKNOWN", () => {
    play({ attempts: 1, settleMs: 2000 }).sees(fail()).ends(doubt("not_settled"), 1);
  });
  test("the last attempt is put after the settle time, when there is time for that", () => {
    play({ attempts: 2, settleMs: 1000 }).sees(fail()).again(990).sees(fail()).ends({ type: "fail" }, 2);
  });
  test("the age of the answer counts", () => {
    play({ attempts: 2, settleMs: 1000, ageMs: 800 }).sees(fail()).again(190).sees(fail()).ends({ type: "fail" }, 2);
    play({ attempts: 1, settleMs: 1000, ageMs: 1000 }).sees(fail()).ends({ type: "fail" }, 1);
    play({ attempts: 1, settleMs: 1000, ageMs: Number.POSITIVE_INFINITY }).sees(fail()).ends({ type: "fail" }, 1);
  });
  test("when there is no time for it, the attempts go on as usual and the end is UNKNOWN", () => {
    play({ attempts: 2, settleMs: 5000 }).sees(fail()).again(100).sees(fail()).ends(doubt("not_settled"), 2);
  });
  test("what is still there before the settle time is UNKNOWN too", () => {
    play({ attempts: 1, settleMs: 2000 }).sees(fail("record_present")).ends(doubt("not_settled"), 1);
  });
  test("a value that differs before the settle time is UNKNOWN, for what was read may be older than the write", () => {
    play({ attempts: 1, settleMs: 2000 }).sees(fail("field_mismatch")).ends(doubt("not_settled"), 1);
    play({ attempts: 2, settleMs: 5000 })
      .sees(fail("field_mismatch"))
      .again(100)
      .sees(fail("field_mismatch"))
      .ends(doubt("not_settled"), 2);
  });
  test("a value that still differs after the settle time is FAIL", () => {
    play({ attempts: 2, settleMs: 1000 })
      .sees(fail("field_mismatch"))
      .again(990)
      .sees(fail("field_mismatch"))
      .ends({ type: "fail" }, 2);
  });
  test("a stale value that is right after the settle time is PASS", () => {
    play({ attempts: 2, settleMs: 1000 }).sees(fail("field_mismatch")).again(990).sees(match).ends(match, 2);
  });
  test("a record that is gone before the settle time is UNKNOWN, for it may not have been visible yet", () => {
    play({ attempts: 1, settleMs: 2000 }).sees(gone).ends(doubt("not_settled"), 1);
    play({ attempts: 2, settleMs: 5000 }).sees(gone).again(100).sees(gone).ends(doubt("not_settled"), 2);
    play({ attempts: 2, settleMs: 5000 })
      .sees(fail("record_present"))
      .again(100)
      .sees(gone)
      .ends(doubt("not_settled"), 2);
  });
  test("a record that is gone after the settle time is PASS", () => {
    play({ attempts: 2, settleMs: 1000 }).sees(gone).again(990).sees(gone).ends(gone, 2);
    play({ attempts: 1, settleMs: 1000, ageMs: 1000 }).sees(gone).ends(gone, 1);
    play({ attempts: 1 }).sees(gone).ends(gone, 1);
  });
  test("a record that is gone first and there then is UNKNOWN", () => {
    play({ attempts: 2, settleMs: 1000 })
      .sees(gone)
      .again(990)
      .sees(fail("record_present"))
      .ends(doubt("readback_inconsistent"), 2);
  });
  test("attempts that disagree are inconsistent first", () => {
    play({ attempts: 2, settleMs: 5000 })
      .sees(fail("field_mismatch"))
      .again(100)
      .sees(fail())
      .ends(doubt("readback_inconsistent"), 2);
  });
});

test("whatever is seen: at most so many attempts, within the time, FAIL only from unanimous failures", () => {
  const finding = fc.oneof(
    fc.constantFrom(match, gone),
    fc.constantFrom(fail(), fail("field_mismatch", "a"), fail("field_mismatch", "b"), fail("record_present")),
    fc.constantFrom(doubt("readback_error"), doubt("readback_unconfirmed", 300), doubt("credential_missing")),
  );
  const scene = fc.record({
    attempts: fc.integer({ min: 1, max: 5 }),
    intervalMs: fc.integer({ min: 0, max: 2000 }),
    settleMs: fc.constantFrom(0, 0, 500, 60_000),
    timeoutMs: fc.integer({ min: 1, max: 3000 }),
    seen: fc.array(fc.tuple(finding, fc.integer({ min: 0, max: 500 })), { minLength: 5, maxLength: 5 }),
  });
  fc.assert(
    fc.property(scene, ({ seen, timeoutMs, ...limits }) => {
      let state = startAttempts(limits, timeoutMs, 0);
      let now = 0;
      const played: Finding[] = [];
      for (const [found, ms] of seen) {
        const next = afterAttempt(state, found, now, now + ms);
        played.push(found);
        now += ms;
        state = next.attempts;
        if (next.type === "again") {
          expect(played.length).toBeLessThan(limits.attempts);
          expect(next.afterMs).toBeGreaterThanOrEqual(limits.intervalMs);
          now += next.afterMs;
          expect(now).toBeLessThanOrEqual(timeoutMs + 1);
          continue;
        }
        if (next.finding.type === "match") expect(found.type).toBe("match");
        if (next.finding === gone || next.finding.type === "fail")
          expect(now - ms).toBeGreaterThanOrEqual(limits.settleMs);
        if (next.finding.type === "fail") expect(new Set(played.map((one) => JSON.stringify(one))).size).toBe(1);
        return;
      }
      throw new Error("no end after as many attempts as there may be");
    }),
    { numRuns: 2000 },
  );
});
