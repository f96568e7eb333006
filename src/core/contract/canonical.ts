// The stable text of what a contract means, so that contracts that decide alike have equal digests.

/** Anything that has a canonical text. Absent members are left out, as if they were not there. */
export type Canonical = string | number | null | undefined | readonly Canonical[] | ReadonlyMap<string, Canonical>;

/** JSON without blanks whose members stand in an order that depends on their names only. */
export function canonicalText(value: Canonical): string {
  return JSON.stringify(ordered(value));
}

function ordered(value: Canonical): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!(value instanceof Map)) return value;
  // Without a prototype, so that a tool may be called `__proto__`.
  const members: Record<string, unknown> = Object.create(null);
  for (const name of [...(value as ReadonlyMap<string, Canonical>).keys()].sort())
    members[name] = ordered(value.get(name));
  return members;
}
