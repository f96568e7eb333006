// How what a read-back starts is started and ended on this machine.

import { launch } from "../io/launch.ts";
import { processPlatform } from "../io/platform.ts";
import type { AdapterProcesses } from "../readback/adapter.ts";

/** For the reader and for `verify`. */
export function readProcesses(): AdapterProcesses {
  const platform = processPlatform();
  return {
    launch,
    async endTree(pid) {
      // It leads no group of its own: it is to end with whoever started it.
      const below = await platform.descendants(pid);
      platform.signal(pid, "SIGKILL");
      for (const ref of below) if (await platform.runs(ref)) platform.signal(ref.pid, "SIGKILL");
    },
  };
}
