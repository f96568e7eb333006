// A real Chromium for tests, driven over its DevTools pipe: no downloaded browser, and nothing listens on a port.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";

// biome-ignore lint/suspicious/noExplicitAny: results of the DevTools protocol, looked into by the tests
type Result = any;

export interface Browser {
  /** Opens a page and waits until it is loaded. */
  open(url: string, view?: { readonly width: number; readonly dark?: boolean }): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  /** What a page must not do: console messages, policy violations, requests beside the page itself. */
  readonly incidents: readonly string[];
  evaluate(expression: string): Promise<Result>;
  send(method: string, params?: object): Promise<Result>;
}

/** Starts Debian's `chromium`, or whatever CHROMIUM names. */
export function startChromium(): Browser {
  const profile = mkdtempSync(join(tmpdir(), "fourgate-chromium-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"];
  const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const child = spawn(program(), [...flags, ...quiet, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const { send, listen } = devTools(child);

  return {
    async open(url, { width, dark = false } = { width: 1280 }) {
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const incidents: string[] = [];
      let isLoaded = (): void => {};
      const loaded = new Promise<void>((resolve) => {
        isLoaded = resolve;
      });
      listen((message) => {
        if (message.sessionId !== sessionId) return;
        const { method, params } = message;
        if (method === "Page.loadEventFired") isLoaded();
        if (method === "Log.entryAdded") incidents.push(`log: ${params.entry.text}`);
        if (method === "Runtime.consoleAPICalled") incidents.push(`console: ${params.type}`);
        if (method === "Runtime.exceptionThrown") incidents.push(`exception: ${params.exceptionDetails.text}`);
        if (method === "Audits.issueAdded") incidents.push(`issue: ${params.issue.code}`);
        if (method === "Network.requestWillBeSent" && params.request.url !== url) {
          incidents.push(`request: ${params.request.url}`);
        }
      });
      const here = (name: string, given: object = {}) => send(name, given, sessionId);
      for (const domain of ["Page", "Log", "Runtime", "Network", "Audits"]) await here(`${domain}.enable`);
      const metrics = { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 };
      await here("Emulation.setDeviceMetricsOverride", metrics);
      const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
      await here("Emulation.setEmulatedMedia", { features });
      await here("Page.navigate", { url });
      await loaded;
      return {
        incidents,
        send: here,
        evaluate: async (expression) => {
          const { result, exceptionDetails } = await here("Runtime.evaluate", { expression, returnByValue: true });
          if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? "it threw");
          return result.value;
        },
      };
    },
    async close() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      await send("Browser.close").catch(() => child.kill("SIGKILL"));
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function program(): string {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined) throw new Error("no Chromium: install the package chromium, or name a browser in CHROMIUM");
  return found;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Result;
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

/** Requests and events over file descriptors 3 and 4, each message ended by a NUL. */
function devTools(child: ChildProcess) {
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>();
  const listeners: ((message: Message) => void)[] = [];
  let last = 0;
  let kept = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (kept + chunk).split("\0");
    kept = parts.pop()!;
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      for (const listener of listeners) listener(message);
      const asked = message.id === undefined ? undefined : waiting.get(message.id);
      if (message.error) asked?.reject(new Error(message.error.message));
      else asked?.resolve(message.result);
    }
  });
  const ended = (): void => {
    for (const { reject } of waiting.values()) reject(new Error("Chromium ended"));
  };
  child.once("exit", ended).once("error", ended);
  input.on("error", ended);
  return {
    listen: (listener: (message: Message) => void) => void listeners.push(listener),
    send: (method: string, params: object = {}, sessionId?: string): Promise<Result> =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
      }),
  };
}
