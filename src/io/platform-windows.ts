// Windows: no process groups and no signals; a tree is ended by `taskkill /T /F`.

import { spawn } from "node:child_process";
import type { ProcessPlatform } from "./platform.ts";
import { send } from "./posix-signals.ts";

/** Starts a program that is not waited for. */
export type StartProgram = (program: string, args: readonly string[]) => void;

/** The branch for Windows; `start` is there for tests. */
export function windowsPlatform(start: StartProgram = startProgram): ProcessPlatform {
  const alive = (pid: number): boolean => send(pid, 0);
  return {
    ownGroups: false,
    signal: send,
    // Asking a console program to end politely cannot be done for a whole tree, so every signal but 0 and a stop ends it.
    signalGroup: (leader, signal) => {
      if (signal === 0) return alive(leader);
      // The tree of a process that has ended cannot be walked, and its number may soon be another's.
      if (signal === "SIGSTOP" || signal === "SIGCONT" || !alive(leader)) return false;
      start("taskkill", ["/T", "/F", "/PID", String(leader)]);
      return true;
    },
    // taskkill walks the tree itself.
    descendants: async () => [],
    runs: async (ref) => alive(ref.pid),
    groupIsEmpty: async (leader) => !alive(leader),
    list: async () => undefined,
    listNow: () => undefined,
    environmentOf: async () => "hidden",
  };
}

const startProgram: StartProgram = (program, args) => {
  const child = spawn(program, [...args], { stdio: "ignore", windowsHide: true });
  child.on("error", () => {});
  child.unref();
};
