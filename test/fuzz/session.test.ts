// Random sessions against a simple model, and every session that once went wrong.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Script, script } from "./actions.ts";
import { playScript } from "./play.ts";

const SECONDS = Number(process.env.FOURGATE_FUZZ_SECONDS ?? 20);
const corpus = new URL("../corpus/fuzz/", import.meta.url);

test.each(readdirSync(corpus).filter((name) => name.endsWith(".json")))("corpus: %s", (name) => {
  playScript(JSON.parse(readFileSync(new URL(name, corpus), "utf8")) as Script);
});

test(
  `${SECONDS} s of random sessions`,
  () => {
    const details = fc.check(
      fc.property(script, (one) => playScript(one)),
      { numRuns: 100_000_000, interruptAfterTimeLimit: SECONDS * 1000, markInterruptAsFailure: false },
    );
    if (details.failed && details.counterexample) {
      // The smallest session that shows it stays, to be played in each run from now on.
      const text = `${JSON.stringify(details.counterexample[0], null, 1)}\n`;
      mkdirSync(corpus, { recursive: true });
      const name = `${createHash("sha256").update(text).digest("hex").slice(0, 12)}.json`;
      writeFileSync(new URL(name, corpus), text);
      throw new Error(`test/corpus/fuzz/${name} (seed ${details.seed}): ${details.errorInstance}`);
    }
    console.log(`fuzz: ${details.numRuns} sessions`);
    expect(details.numRuns).toBeGreaterThan(SECONDS * 20);
  },
  (SECONDS + 120) * 1000,
);
