// Ending a process with everything it started; used for verifiers and for the wrapped server.

import { type ProcessPlatform, type ProcessRef, processPlatform } from "./platform.ts";

/** Takes a process number. Gives its descendants as they are now, each with its start time; empty when unknown. Never rejects. */
export function snapshotDescendants(pid: number, platform = processPlatform()): Promise<readonly ProcessRef[]> {
  return platform.descendants(pid);
}

/**
 * Signals the group that `pid` leads at once, and then each process of an earlier snapshot that is still the same process,
 * in whatever group it is now. Never rejects; processes that are gone are no error.
 */
export async function killTree(
  pid: number,
  signal: NodeJS.Signals,
  snapshot: readonly ProcessRef[] = [],
  platform: ProcessPlatform = processPlatform(),
): Promise<void> {
  platform.signalGroup(pid, signal);
  for (const ref of snapshot) {
    if (await platform.runs(ref)) platform.signal(ref.pid, signal);
  }
}

/** Whether nothing of the group that `leader` leads runs any more; zombies do not count. Never rejects. */
export function groupIsEmpty(leader: number, platform = processPlatform()): Promise<boolean> {
  return platform.groupIsEmpty(leader);
}
