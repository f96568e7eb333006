// Carries a change of one entry out, or shows it.

import { type Replaced, replaceConfigFile } from "../../clients/config-file.ts";
import { toBytes } from "../../core/config/bytes.ts";
import type { Change } from "../../core/config/change.ts";
import { showDiff } from "../../core/config/diff.ts";
import type { Source } from "./find.ts";

type Good = Change & { readonly ok: true };

/** The diff of a change, values and comments blanked. */
export function changeDiff({ place, document }: Source, change: Good): string {
  return showDiff(place.file, document.text, change.edits, document.secrets, change.shown);
}

export function writeChange({ file, bom }: Source, change: Good): Promise<Replaced> {
  return replaceConfigFile(file, toBytes(change.text, bom), new Date());
}
