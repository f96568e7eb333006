// What an adapter may use of this process and this machine: for the reader and for `verify`.

import type { Source } from "../core/readback/types.ts";
import type { AdapterContext } from "../readback/adapter.ts";

/** The context of one source. Handling processes takes longer to load than a read takes, and most sources start none. */
export async function readContext(source: Source, environment: AdapterContext["environment"]): Promise<AdapterContext> {
  if (source.type !== "mcp") return { environment };
  const { readProcesses } = await import("./read-processes.ts");
  return { environment, processes: readProcesses() };
}
