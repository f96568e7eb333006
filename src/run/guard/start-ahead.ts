// When what checks will need is started: soon, but not beside the server, whose own start it would slow.

import { START_AHEAD_MS } from "../../core/limits.ts";

export interface StartAhead {
  /** The server has said something: it runs. */
  serverSpoke(): void;
  /** Nothing is started any more. */
  stop(): void;
}

/** Calls `start` once: a turn after the server's first bytes have gone on, or after a while where it is silent. */
export function startAhead(start: () => void): StartAhead {
  let turn: NodeJS.Immediate | undefined;
  const silent = setTimeout(start, START_AHEAD_MS);
  return {
    serverSpoke() {
      if (turn !== undefined) return;
      // Already started when this finds nothing to clear; starting twice is starting once.
      clearTimeout(silent);
      turn = setImmediate(start);
    },
    stop() {
      clearTimeout(silent);
      clearImmediate(turn);
    },
  };
}
