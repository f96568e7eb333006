// Whether the drivers that a contract's read-backs need are there.

import type { Contract } from "../../core/contract/types.ts";

/** What drivers the read-backs need that are not installed: every check would be UNKNOWN. */
export async function missingDrivers({ tools }: Pick<Contract, "tools">): Promise<string[]> {
  const sources = [...tools.values()].flatMap(({ readback }) =>
    readback?.source.type === "sql" ? [readback.source] : [],
  );
  if (sources.length === 0) return [];
  const { missingDriver } = await import("../../readback/drivers.ts");
  return [...new Set(sources.flatMap((source) => missingDriver(source) ?? []))];
}
