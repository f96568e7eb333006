// The reader: a process of its own beside a session that reads the system of record and says what it found. It ends with its stdin.

import { CLOSE_WAIT_MS } from "../core/limits.ts";
import { parseFields } from "../core/readback/fields.ts";
import { readerLine, type ToReader } from "../core/readback/protocol.ts";
import type { Readback, ReadbackOutcome, Source } from "../core/readback/types.ts";
import { type Adapter, type AdapterContext, openAdapter } from "./adapter.ts";
import { checkReadback } from "./check.ts";

interface Opened {
  readonly readback: Readback;
  readonly adapter: Promise<Adapter>;
}

const opened = new Map<string, Opened>();
const running = new Map<number, AbortController>();

/** Gives what the adapter of a source may use. */
type ContextOf = (source: Source) => Promise<AdapterContext>;

function take(message: ToReader, contextOf: ContextOf): void {
  if (message.type === "open") {
    Object.assign(process.env, message.credentials);
    for (const [name, readback] of message.readbacks) {
      const { source } = readback;
      const adapter = contextOf(source).then((context) => openAdapter(source, context));
      // A failure shows at the first check; until then nobody waits for it.
      adapter.then((open) => open.warm?.()).catch(() => {});
      opened.set(name, { readback, adapter });
    }
  } else if (message.type === "cancel") running.get(message.id)?.abort();
  else void check(message);
}

async function check(message: Extract<ToReader, { type: "check" }>): Promise<void> {
  const { id, budgetMs, ageMs } = message;
  const cancel = new AbortController();
  running.set(id, cancel);
  const outcome = await read(message.readback, message.fields, budgetMs, ageMs, cancel.signal).catch(() => FAILED);
  running.delete(id);
  process.stdout.write(readerLine({ type: "done", id, outcome }));
}

const FAILED: ReadbackOutcome = { type: "unknown", reason: "readback_error", attempts: 0, note: "the read failed" };

async function read(
  name: string,
  json: string,
  budgetMs: number,
  ageMs: number,
  signal: AbortSignal,
): Promise<ReadbackOutcome> {
  const begin = performance.now();
  const entry = opened.get(name);
  const fields = parseFields(json);
  if (entry === undefined || fields === undefined) return FAILED;
  const adapter = await entry.adapter;
  const waited = performance.now() - begin;
  return checkReadback(entry.readback, adapter, {
    fields,
    budgetMs: budgetMs - waited,
    ageMs: ageMs + waited,
    signal,
  });
}

/**
 * Answers until stdin ends, which is how whoever started this says that it may go, or that it is gone itself; then ends what
 * it has started, within a bound.
 */
export async function runReader(contextOf: ContextOf): Promise<void> {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line !== "") take(JSON.parse(line) as ToReader, contextOf);
  });
  await new Promise<void>((resolve) => {
    process.stdin.on("end", resolve);
    process.stdin.on("error", () => resolve());
    process.stdout.on("error", () => resolve());
  });
  const closed = [...opened.values()].map(({ adapter }) => adapter.then((open) => open.close()).catch(() => {}));
  await Promise.race([Promise.all(closed), new Promise((late) => setTimeout(late, CLOSE_WAIT_MS))]);
}
