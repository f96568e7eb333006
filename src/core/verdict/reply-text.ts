// Reads what a verifier printed: exactly one JSON object, or nothing that counts.

export type VerifierAnswer = { readonly status: "pass" } | { readonly status: "fail"; readonly reason: string };

// No BOM is skipped: a BOM before the object is text before the object.
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Takes a verifier's whole stdout. Gives its answer, or undefined when it is not exactly one JSON object (JSON blanks
 * around it are fine) in strict UTF-8 with `status` "pass", or "fail" and a text `reason_code`. Never throws.
 */
export function readVerifierAnswer(stdout: Uint8Array): VerifierAnswer | undefined {
  let text: string;
  let reply: unknown;
  try {
    text = strictUtf8.decode(stdout);
    reply = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof reply !== "object" || reply === null || Array.isArray(reply)) return undefined;
  // Two statuses are two answers: which one was meant is a doubt, and doubt is never PASS or FAIL.
  const names = memberNames(text);
  if (countOf(names, "status") !== 1 || countOf(names, "reason_code") > 1) return undefined;
  const { status, reason_code: reason } = reply as Record<string, unknown>;
  if (status === "pass") return { status };
  if (status === "fail" && typeof reason === "string") return { status, reason };
  return undefined;
}

/** Takes the text of one valid JSON object. Gives the names of its own members, unescaped, repeated ones repeated. */
function memberNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let nameExpected = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = stringEnd(text, at);
      if (depth === 1 && nameExpected) names.push(JSON.parse(text.slice(at, end)) as string);
      nameExpected = false;
      at = end - 1;
    } else if (character === "{" || character === "[") {
      depth++;
      nameExpected = depth === 1;
    } else if (character === "}" || character === "]") {
      depth--;
    } else if (character === "," && depth === 1) {
      nameExpected = true;
    }
  }
  return names;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function countOf(names: readonly string[], name: string): number {
  return names.filter((other) => other === name).length;
}
