// A draft out of the list of tools of a server that is started for it, and never called.

import { join } from "node:path";
import { draftContract, type ListedSchemas } from "../../core/init/draft.ts";
import { catchStopSignals } from "../../io/signals.ts";
import { lookAtServer, readOnlyHint } from "../doctor/server.ts";
import { type InitPlace, type InitResult, writeAll } from "../init.ts";

export const DRAFT_FILE = "contract.draft.jsonc";

/** Never rejects for what a server does. `tools`: only these; empty for all that look like writes. */
export async function initFromServer(
  command: readonly [string, ...string[]],
  tools: readonly string[],
  place: InitPlace,
): Promise<InitResult & { readonly count?: number }> {
  const stop = new AbortController();
  catchStopSignals().listen(() => stop.abort());
  const { facts, listed } = await lookAtServer(command, { tools: new Map() }, process.env, stop.signal);
  if (facts.type === "not_started") return { ok: false, problem: `the server could not be started: ${facts.code}` };
  if (facts.type !== "session") {
    return {
      ok: false,
      problem: `there was no session with the server: ${"reason" in facts ? facts.reason : facts.type}`,
    };
  }
  const missing = tools.filter((name) => !listed.has(name));
  if (missing.length > 0) return { ok: false, problem: `the server's list has no ${missing.join(", ")}` };
  const wanted = [...listed].filter(([name]) => tools.length === 0 || tools.includes(name));
  const schemas = wanted.map(([name, json]): ListedSchemas => {
    const { inputSchema, outputSchema } = JSON.parse(json) as Partial<ListedSchemas>;
    // Who names a tool says that it is worth a check.
    return { name, readOnly: tools.length > 0 ? false : readOnlyHint(json), inputSchema, outputSchema };
  });
  const draft = draftContract(schemas);
  if (draft === undefined) return { ok: false, problem: "the server says of every tool that it only reads" };
  const problem = await writeAll(place, [[DRAFT_FILE, draft]]);
  if (problem !== undefined) return { ok: false, problem };
  const count = schemas.filter(({ readOnly }) => readOnly !== true).length;
  return { ok: true, written: [join(place.dir, DRAFT_FILE)], madeAbsolute: false, count };
}
