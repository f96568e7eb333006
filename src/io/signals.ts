// The signals that end a process, caught from before the server starts so that none can leave it behind.

/** All that a person or a supervisor sends to end a program; left alone they would end this one and nothing else. */
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGABRT", "SIGALRM", "SIGUSR2", "SIGXCPU"] as const;

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
  // Node would open its debugger, in a process that holds credentials.
  process.on("SIGUSR1", () => {});
  return {
    listen(listener) {
      tell = listener;
      for (const signal of early.splice(0)) listener(signal);
    },
  };
}
