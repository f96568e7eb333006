// What differs between operating systems when processes are found and ended; one branch a file, injected in tests.

import { linuxPlatform } from "./platform-linux.ts";
import { psPlatform } from "./platform-ps.ts";
import { windowsPlatform } from "./platform-windows.ts";

/** A process and when it started, so that a number given to a new process is not taken for the old one. */
export interface ProcessRef {
  readonly pid: number;
  /** Any text that differs between two processes that had the same number. */
  readonly started: string;
}

export interface ProcessPlatform {
  /** Start children as leaders of their own process group. */
  readonly ownGroups: boolean;
  /** Sends a signal to one process (0 only asks). False when it is gone or not ours. Never throws. */
  signal(pid: number, signal: NodeJS.Signals | 0): boolean;
  /** Sends a signal to the group that `leader` leads, or, where there are no groups, to its tree. Never throws. */
  signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean;
  /** Children, their children and so on, without `pid` itself; empty when that cannot be told. Never rejects. */
  descendants(pid: number): Promise<readonly ProcessRef[]>;
  /** Whether that very process still runs; a zombie does not. Never rejects. */
  runs(ref: ProcessRef): Promise<boolean>;
  /** Whether no process of the group runs any more; zombies do not count. Never rejects. */
  groupIsEmpty(leader: number): Promise<boolean>;
  /** The numbers of all processes, or undefined where environments cannot be read. Never rejects. */
  list(): Promise<readonly number[] | undefined>;
  /** The same, at once; for the moment before the first process of ours starts. Never throws. */
  listNow(): readonly number[] | undefined;
  /** The environment a process was started with, as bytes; `gone` or `hidden` where there is none to see. Never rejects. */
  environmentOf(pid: number): Promise<Uint8Array | "gone" | "hidden">;
}

/** Gives the branch for an operating system; other Unixes are treated like macOS. */
export function processPlatform(name: NodeJS.Platform = process.platform): ProcessPlatform {
  if (name === "win32") return windowsPlatform();
  return name === "linux" ? linuxPlatform() : psPlatform();
}
