// One thing a turn of the event loop: what blocks for a moment each time must not block many times in a row.

/** Gives a function that runs what it is given: at once when idle, else in later turns, in order. */
export function oneATurn(): (act: () => void) => void {
  const waiting: (() => void)[] = [];
  let busy = false;
  const next = () => {
    const act = waiting.shift();
    if (!act) {
      busy = false;
      return;
    }
    setImmediate(next);
    act();
  };
  return (act) => {
    waiting.push(act);
    if (busy) return;
    busy = true;
    next();
  };
}
