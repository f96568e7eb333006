// The committed schema is the one that start-up checks by, and is good for editors.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { contractSchema } from "../../../src/core/readback/contract-schema.ts";
import { goodContract } from "./reading.ts";

const committed = JSON.parse(readFileSync(new URL("../../../schema/contract.schema.json", import.meta.url), "utf8"));

test("schema/contract.schema.json is up to date (else run node scripts/generate.mjs)", () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(contractSchema)));
});

test("every member has a description, and no object takes unknown members", () => {
  const walk = (node: Record<string, unknown>, way: string): void => {
    const properties = node.properties as Record<string, Record<string, unknown>> | undefined;
    if (node.type === "object" && properties !== undefined)
      expect([way, node.additionalProperties]).toEqual([way, false]);
    for (const [name, member] of Object.entries(properties ?? {})) {
      expect([`${way}.${name}`, typeof member.description]).toEqual([`${way}.${name}`, "string"]);
      walk(member, `${way}.${name}`);
    }
    if (typeof node.additionalProperties === "object")
      walk(node.additionalProperties as Record<string, unknown>, `${way}.*`);
  };
  walk(committed, "");
});

describe("an editor that knows the schema", () => {
  const validate = new Ajv({ strict: false }).compile(committed);

  test("accepts a good contract", () => {
    expect(validate(goodContract())).toBe(true);
  });

  test.each<[string, (contract: ReturnType<typeof goodContract>) => void]>([
    ["an unknown key", (contract) => Object.assign(contract, { tolls: 1 })],
    ["a draft", (contract) => Object.assign(contract, { draft: true })],
    ["a readback beside a verifier", (contract) => Object.assign(contract.tools.create_issue!, { readback: {} })],
    ["a pattern without parse", (contract) => Object.assign(idSelector(contract), { pattern: "(a)" })],
    ["parse regex without a pattern", (contract) => Object.assign(idSelector(contract), { parse: "regex" })],
  ])("marks %s", (_, change) => {
    const contract = goodContract();
    change(contract);
    expect(validate(contract)).toBe(false);
  });
});

function idSelector(contract: ReturnType<typeof goodContract>): object {
  return (contract.tools.create_issue!.extract as { id: object }).id;
}
