// The signals that ask fourgate to stop, caught from before the server starts so that none can leave it behind.

const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export interface StopSignals {
  /** Calls the listener for each signal, first for those that came before anybody listened. */
  listen(listener: (signal: NodeJS.Signals) => void): void;
}

/** Takes the signals over for the rest of the process's life. */
export function catchStopSignals(): StopSignals {
  const early: NodeJS.Signals[] = [];
  let tell = (signal: NodeJS.Signals): void => {
    early.push(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, () => tell(signal));
  return {
    listen(listener) {
      tell = listener;
      for (const signal of early.splice(0)) listener(signal);
    },
  };
}
