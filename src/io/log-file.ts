// Appends lines to an open file, whole lines in one write, in order; no line is ever joined to a torn one.

/** The part of a file that is needed to append to it. */
export interface AppendTarget {
  /** Writes some of the bytes at the end; gives how many. Rejects with a system error. */
  write(bytes: Uint8Array): Promise<number>;
  /**
   * Whether the file ends in the middle of a line now, whoever left it so: another session on the same file may have been killed in its
   * write. Undefined where that cannot be told. Rejects with a system error when nothing can be written.
   */
  endsTorn(): Promise<boolean | undefined>;
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

/** Appends to `target`. */
export function createLogFile(target: AppendTarget): LogFile {
  /** What our own last write says about the end of the file; asked only where the file cannot tell. */
  let leftTorn = false;
  return {
    async append(lines) {
      let written = 0;
      let stuck = false;
      try {
        while (written < lines.length) {
          // The newline that closes a torn line goes out in the same write as the record after it.
          const closing = ((await target.endsTorn()) ?? leftTorn) ? "\n" : "";
          const bytes = Buffer.from(`${closing}${lines.slice(written).join("\n")}\n`);
          const taken = await target.write(bytes);
          if (taken > 0) leftTorn = bytes[taken - 1] !== 0x0a;
          const whole = newlines(bytes.subarray(closing.length, taken));
          written += whole;
          // Written short, a line is begun anew: its rest might come behind the line of another session. The disk is full, most
          // likely, which the next write tells; one that never tells must not be tried for ever.
          if (whole === 0 && stuck) return { written, error: "EIO" };
          stuck = whole === 0;
        }
        return { written };
      } catch (error) {
        return { written, error: (error as NodeJS.ErrnoException).code ?? "EIO" };
      }
    },
  };
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}
