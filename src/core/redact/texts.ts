// The texts that stand in a JSON document.

/** Every text in a JSON document, and every line of such a text; keys are names and no secrets. None where it is not JSON. */
export function textsIn(text: string): string[] {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return [];
  }
  const found: string[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") found.push(next, ...next.split(/\r?\n/));
    else if (typeof next === "number") found.push(String(next));
    else if (typeof next === "object" && next !== null) waiting.push(...Object.values(next));
  }
  return found;
}
