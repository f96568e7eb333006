// Lines into a file whose writes come out short or fail: in the end each line stands alone.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createLogFile } from "../../src/io/log-file.ts";

test("whatever writes come out short or fail, the lines that were reported written stand whole and alone", async () => {
  const step = fc.record({ bytes: fc.integer({ min: 0, max: 12 }), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, torn) => {
      let content = torn ? '{"torn' : '{"whole":1}\n';
      const file = createLogFile(
        {
          async write(bytes) {
            const { bytes: most, fails } = steps.shift() ?? { bytes: 1000, fails: false };
            if (fails) throw Object.assign(new Error("full"), { code: "ENOSPC" });
            content += Buffer.from(bytes.subarray(0, most)).toString();
            return Math.min(most, bytes.length);
          },
        },
        torn,
      );
      const written: string[] = [];
      for (let seq = 0; seq < 12; seq += 3) {
        const lines = [seq, seq + 1, seq + 2].map((one) => `{"seq":${one}}`);
        const appended = await file.append(lines);
        expect(appended.error === undefined).toBe(appended.written === 3);
        written.push(...lines.slice(0, appended.written));
      }
      const whole = content.split("\n").filter((line) => /^\{"seq":\d+\}$/.test(line));
      // A record whose newline alone was lost may stand whole in the file too.
      expect(whole).toEqual(expect.arrayContaining(written));
      for (const line of content.split("\n")) expect(line.split("{").length).toBeLessThanOrEqual(2);
    }),
  );
});
