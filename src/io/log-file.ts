// Appends lines to an open file, whole lines in one write, in order; no line is ever joined to a torn one.

/** The part of a file that is needed to append to it. */
export interface AppendTarget {
  /** Writes some of the bytes at the end; gives how many. Rejects with a system error. */
  write(bytes: Uint8Array): Promise<number>;
}

export interface Appended {
  /** How many of the lines, from the first, are whole in the file. */
  readonly written: number;
  /** The system error's code that stopped it; absent when all are written. */
  readonly error?: string;
}

export interface LogFile {
  /** Writes lines, given without their newlines. Never rejects. */
  append(lines: readonly string[]): Promise<Appended>;
}

/** `torn`: the file ends, or may end, in the middle of a line. */
export function createLogFile(target: AppendTarget, torn: boolean): LogFile {
  let isTorn = torn;
  return {
    async append(lines) {
      // The newline that closes a torn line goes out in the same write as the record after it.
      const closing = isTorn ? 1 : 0;
      const bytes = Buffer.from(`${isTorn ? "\n" : ""}${lines.join("\n")}\n`);
      let at = 0;
      try {
        while (at < bytes.length) {
          const written = await target.write(bytes.subarray(at));
          if (written === 0) throw Object.assign(new Error("nothing was written"), { code: "EIO" });
          at += written;
        }
        isTorn = false;
        return { written: lines.length };
      } catch (error) {
        // What was written so far decides how the file ends now.
        if (at > 0) isTorn = bytes[at - 1] !== 0x0a;
        return {
          written: newlines(bytes.subarray(closing, at)),
          error: (error as NodeJS.ErrnoException).code ?? "EIO",
        };
      }
    },
  };
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}
