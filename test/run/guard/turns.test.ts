// Starting many things, one a turn of the event loop.

import { expect, test } from "vitest";
import { oneATurn } from "../../../src/run/guard/turns.ts";

const turn = () => new Promise((next) => setImmediate(next));

test("the first is run at once, the others in later turns, one in each and in order", async () => {
  const startSoon = oneATurn();
  const ran: number[] = [];
  for (const number of [1, 2, 3]) startSoon(() => ran.push(number));
  expect(ran).toEqual([1]);
  await turn();
  expect(ran).toEqual([1, 2]);
  await turn();
  expect(ran).toEqual([1, 2, 3]);
});

test("after a pause one is run at once again", async () => {
  const startSoon = oneATurn();
  let ran = 0;
  startSoon(() => ran++);
  await turn();
  startSoon(() => ran++);
  expect(ran).toBe(2);
});

test("what one of them adds waits for its own turn", async () => {
  const startSoon = oneATurn();
  const ran: string[] = [];
  startSoon(() => {
    ran.push("first");
    startSoon(() => ran.push("second"));
  });
  expect(ran).toEqual(["first"]);
  await turn();
  expect(ran).toEqual(["first", "second"]);
});
