// Where a place is on this machine.

import { isAbsolute } from "node:path";
import type { Place } from "../core/readback/place.ts";
import type { AdapterContext } from "./adapter.ts";

/** The absolute path of a place, or a few words on why there is none. */
export function placePath(
  place: Place,
  { environment }: AdapterContext,
): { readonly ok: true; readonly path: string } | { readonly ok: false; readonly note: string } {
  if ("path" in place) return { ok: true, path: place.path };
  const path = environment[place.env];
  if (!path) return { ok: false, note: `${place.env} is not set` };
  if (!isAbsolute(path)) return { ok: false, note: `${place.env} holds no absolute path` };
  return { ok: true, path };
}
