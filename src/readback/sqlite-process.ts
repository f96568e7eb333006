// Starts the process that holds SQLite, asks it, and ends it when it is late.

import { type ChildProcess, spawn } from "node:child_process";
import { type SqliteAnswer, type SqliteQuestion, sqliteChild } from "./sqlite-child.ts";

export interface SqliteProcess {
  /** Rejects with the word `TIMEOUT` or `ENDED`; the process is of no more use then. */
  ask(question: Omit<SqliteQuestion, "id">, limitMs: number): Promise<SqliteAnswer>;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  kill(): void;
}

/** Starts one; resolves when it can be asked. `driver` is the path of better-sqlite3. Rejects when it cannot start in time. */
export async function startSqlite(driver: string, limitMs: number): Promise<SqliteProcess> {
  const program = `(${sqliteChild})(process, require, process.argv[1])`;
  const child = spawn(process.execPath, ["-e", program, driver], {
    // It gets nothing of the environment, and says nothing but its answers.
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    windowsHide: true,
  });
  let asked = 0;
  const settle = new Map<number, (answer: SqliteAnswer | Error) => void>();
  child.on("message", (answer: SqliteAnswer) => settle.get(answer.id)?.(answer));
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      resolve();
      for (const done of settle.values()) done(new Error("ENDED"));
    };
    child.on("error", end);
    child.on("exit", end);
  });
  // It must not keep a process alive that is done.
  child.unref();
  child.channel?.unref();
  const kill = () => void child.kill("SIGKILL");
  const wait = (id: number, ms: number): Promise<SqliteAnswer> =>
    new Promise((resolve, reject) => {
      const done = (answer: SqliteAnswer | Error): void => {
        clearTimeout(timer);
        settle.delete(id);
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      const timer = Number.isFinite(ms)
        ? setTimeout(
            () => {
              kill();
              done(new Error("TIMEOUT"));
            },
            Math.max(0, ms),
          )
        : undefined;
      settle.set(id, done);
    });
  await wait(0, limitMs);
  return {
    ended,
    kill,
    ask(question, ms) {
      const id = ++asked;
      const answer = wait(id, ms);
      send(child, { ...question, id });
      return answer;
    },
  };
}

function send(child: ChildProcess, question: SqliteQuestion): void {
  // A process that has gone is seen by its exit.
  child.send(question, () => {});
}
