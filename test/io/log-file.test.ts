// Lines into a file whose writes come out short or fail: in the end each line stands alone.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createLogFile } from "../../src/io/log-file.ts";

test("whatever writes come out short or fail, the lines that were reported written stand whole and alone", async () => {
  const step = fc.record({ bytes: fc.integer({ min: 0, max: 12 }), fails: fc.boolean() });
  const others = fc.array(fc.constantFrom("", "", '{"other":1}\n', '{"killed'), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), others, async (steps, torn, said) => {
      let content = torn ? '{"torn' : '{"whole":1}\n';
      const file = createLogFile({
        // Between two of our writes another session may write, or be killed while it does.
        async endsTorn() {
          const other = said.shift() ?? "";
          content += other !== "" && !content.endsWith("\n") ? `\n${other}` : other;
          return !content.endsWith("\n");
        },
        async write(bytes) {
          const { bytes: most, fails } = steps.shift() ?? { bytes: 1000, fails: false };
          if (fails) throw Object.assign(new Error("full"), { code: "ENOSPC" });
          content += Buffer.from(bytes.subarray(0, most)).toString();
          return Math.min(most, bytes.length);
        },
      });
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

test("a file that cannot tell how it ends: our own torn line is closed all the same", async () => {
  let content = "";
  const sizes = [4, 0];
  const file = createLogFile({
    endsTorn: async () => undefined,
    async write(bytes) {
      const most = sizes.shift() ?? bytes.length;
      if (most === 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      content += Buffer.from(bytes.subarray(0, most)).toString();
      return most;
    },
  });
  expect(await file.append(['{"seq":1}'])).toEqual({ written: 0, error: "ENOSPC" });
  expect(await file.append(['{"seq":2}'])).toEqual({ written: 1 });
  expect(content).toBe('{"se\n{"seq":2}\n');
});

test("a disk that takes a little each time and never says that it is full is given up", async () => {
  const file = createLogFile({ endsTorn: async () => undefined, write: async () => 1 });
  expect(await file.append(['{"seq":1}'])).toEqual({ written: 0, error: "EIO" });
});
