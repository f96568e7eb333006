// The one word that an error is told by.

/** The system's or the library's short word for an error; never its message, which may hold an address. */
export function errorWord(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
    const inner = (cause as AggregateError).errors?.[0];
    if (inner instanceof Error) return errorWord(inner);
  }
  return error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : "unknown error";
}

/** An error that is told by this word. */
export function errorOf(word: string): Error {
  return Object.assign(new Error(word), { code: word });
}
