// Writes JSON in many ways that mean the same.

/** A stream of small numbers from a seed. */
export function numbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 2654435761;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.abs(state >> 8) % below;
  };
}

/** A value whose text stands as it is given. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The text of a value: blanks and escapes by their seeds; members of an object in an order of their own. */
export function write(value: unknown, blanks: number, escapes: number): string {
  const blank = numbers(blanks);
  const odd = numbers(escapes);
  const gap = () => (blanks % 3 === 0 ? "" : ["", "", " ", "\t", "  "][blank(5)]!);
  const string = (text: string) => {
    const written = JSON.stringify(text);
    if (escapes % 2 === 0) return written;
    return `"${[...written.slice(1, -1)]
      .map((c, i, all) => {
        const part = all[i - 1] === "\\" || c === "\\" || c > "~" || /\\u/.test(written);
        return part || odd(6) > 0 ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
      })
      .join("")}"`;
  };
  const text = (part: unknown): string => {
    if (part instanceof Raw) return part.text;
    if (typeof part === "string") return string(part);
    if (Array.isArray(part)) return `[${gap()}${part.map(text).join(`${gap()},${gap()}`)}${gap()}]`;
    if (typeof part !== "object" || part === null) return JSON.stringify(part);
    const members = Object.entries(part).filter(([, member]) => member !== undefined);
    for (let i = members.length - 1; i > 0; i--) {
      const j = blank(i + 1);
      [members[i], members[j]] = [members[j]!, members[i]!];
    }
    return `{${gap()}${members.map(([key, member]) => `${string(key)}${gap()}:${gap()}${text(member)}`).join(`${gap()},${gap()}`)}${gap()}}`;
  };
  return text(value);
}
