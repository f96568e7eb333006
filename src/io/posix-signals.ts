// Signals to a process or a group on POSIX systems; "no such process" and "not yours" are answers, not errors.

/** Sends a signal to a process (positive number) or a group (negative). True when it was delivered. */
export function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
