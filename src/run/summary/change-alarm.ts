// Rings when one of some files changes: told by the system where it tells, and every now and then, since not every system does.

import { watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** File systems that tell of no change are looked at this often (milliseconds). */
const LOOK_MS = 500;

export interface ChangeAlarm {
  /** Settles at the next change, at the next look, or when it is told to stop. */
  rings(stop: AbortSignal): Promise<void>;
  /** Makes it ring. */
  ring(): void;
  close(): void;
}

export function changeAlarm(files: readonly string[]): ChangeAlarm {
  let heard = (): void => {};
  let rung = false;
  const ring = (): void => {
    rung = true;
    heard();
  };
  const watchers = files.flatMap((file) => {
    try {
      // Its folder is watched, since the file may come later or be replaced.
      const watcher = watch(dirname(resolve(file)), (_, name) => {
        if (name === null || name === basename(file)) ring();
      });
      return [watcher.on("error", () => watcher.close())];
    } catch {
      return [];
    }
  });
  return {
    rings: (stop) =>
      new Promise((done) => {
        const end = (): void => {
          clearTimeout(timer);
          stop.removeEventListener("abort", end);
          heard = () => {};
          rung = false;
          done();
        };
        const timer = setTimeout(end, LOOK_MS);
        stop.addEventListener("abort", end, { once: true });
        heard = end;
        if (rung || stop.aborted) end();
      }),
    ring,
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}
