// Puts a verdict into a held line, in the shape that the client shows its model.

import { CLIENT_LINE_LIMIT_BYTES } from "../limits.ts";
import { needsErrorShape } from "../verdict/clients.ts";
import { errorVerdict, prependVerdict } from "../verdict/rewrite.ts";
import type { Outcome } from "../verdict/types.ts";
import type { Verdict } from "../verdict/wording.ts";
import type { Edit } from "../wire/edit.ts";
import type { Delivery, HeldLine, ProtectedCall } from "./calls.ts";
import type { Session } from "./state.ts";

/**
 * Adds the verdict on a confirmed FAIL to the edits of the line. Gives `too_long` if the line would pass what clients take,
 * `fault` if ours went wrong; the line then stays as it is. A line that is dropped or not held needs none: `done`.
 */
export function putVerdict(
  session: Session,
  call: ProtectedCall,
  outcome: Outcome,
  { answer, held }: Delivery,
): "done" | "too_long" | "fault" {
  if (!held || held.dropped) return "done";
  const { contract } = call;
  const verdict: Verdict = {
    label: session.options.label,
    tool: contract.tool,
    reason: outcome.reason,
    checkedFields: [...contract.extract.keys()].sort(),
    recovery: contract.recovery,
    unmetFields: outcome.unmetFields,
  };
  try {
    const edits = needsErrorShape(session.options.surface, session.clientName, answer.structured)
      ? errorVerdict(held.bytes, answer.result, answer.content, verdict)
      : prependVerdict(held.bytes, answer.content, verdict);
    if (tooLong(held, edits)) return "too_long";
    held.edits.push(...edits);
    return "done";
  } catch {
    // A fault of ours must not cost the user the answer (README, promise 3).
    return "fault";
  }
}

/** SDK clients close the connection at a line over their limit; a verdict must not be what pushes one over. */
function tooLong(held: HeldLine, edits: readonly Edit[]): boolean {
  let length = held.bytes.length;
  for (const edit of [...held.edits, ...edits]) length += edit.insert.length - edit.remove;
  return length > CLIENT_LINE_LIMIT_BYTES && length > held.bytes.length;
}
