// Whatever order requests come and go in, the places and the map behind them are one map.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { InFlight } from "../../../src/core/session/calls.ts";
import { InFlightRequests } from "../../../src/core/session/in-flight.ts";
import type { IdKey } from "../../../src/core/wire/ids.ts";

// Ids that share a place, that no place holds, and that only look like numbers.
const key = fc.constantFrom<IdKey>(
  0,
  1,
  1025,
  2049,
  -1,
  -1023,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  "s:1",
  "n:1.5",
  "s:",
);
const request = fc.oneof(
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 9 }).map((seq): InFlight => ({ type: "shared", seq, answers: 2 })),
);
const action = fc.oneof(fc.record({ key, request }), fc.record({ key, request: fc.constant(undefined) }));

test("sets, deletes and looks as a map does", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const requests = new InFlightRequests();
      const model = new Map<IdKey, InFlight>();
      const seen = new Set<IdKey>();
      for (const { key, request } of actions) {
        seen.add(key);
        if (request === undefined) {
          requests.delete(key);
          model.delete(key);
        } else {
          requests.set(key, request);
          model.set(key, request);
        }
        expect(requests.size).toBe(model.size);
        for (const one of seen) {
          expect(requests.get(one)).toBe(model.get(one));
          expect(requests.has(one)).toBe(model.has(one));
        }
      }
      // What is more than a number is always listed.
      const objects = [...model].filter(([, one]) => typeof one === "object");
      expect(new Map([...requests.entries()].filter(([, one]) => typeof one === "object"))).toEqual(new Map(objects));
    }),
    { numRuns: 500 },
  );
});
