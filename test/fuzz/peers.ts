// A client and a server that keep to a script, and remember which message belongs to which call. They share nothing with
// the code under test: what a line means is known because it was made from it.

import { type Action, ANSWERS, IDS, type Script, type Style } from "./actions.ts";
import { Raw, write } from "./text.ts";
import { Wire } from "./wire.ts";

/** What ids mean: those of one name are one id. */
const KEYS = ["n1", "s1", "n1", "n1", "n0", "s", "sa", "sa", "n9007199254740993", "n-2"] as const;

/** A request of the client, one of many with the same id perhaps. */
export interface Asked {
  readonly n: number;
  readonly id: number;
  readonly tool: string;
  /** It asks about the task of this call. */
  readonly about?: Asked;
  readonly asks?: "result" | "get" | "cancel";
  state: "sending" | "open" | "answering" | "answered";
  cancelled: boolean;
  task: "" | "core" | "extension";
  input: boolean;
}

/** A successful outcome on the server's side of the wire. */
export interface Told {
  readonly asked: Asked;
  /** The request that it answers; none when a notification tells it. */
  readonly answers: Asked | undefined;
  /** Index of its line. */
  readonly line: number;
  /** Said once more after its call was over: nobody waits for it. */
  readonly again: boolean;
}

export const isProtected = (asked: Asked) => asked.tool === "create" || asked.tool === "update";

export class Peers {
  readonly client: Wire;
  readonly server: Wire;
  readonly asked: Asked[] = [];
  readonly told = new Map<number, Told>();
  /** Lines of the server that carry no answer to a request. */
  readonly free = new Set<number>();
  /** Calls that were sent again with the input asked for. */
  retried = 0;
  #marks = 0;

  constructor(toServer: (bytes: Buffer) => void, toClient: (bytes: Buffer) => void) {
    this.client = new Wire(toServer);
    this.server = new Wire(toClient);
  }

  act(action: Action): void {
    switch (action.type) {
      case "call": {
        const calls = Array.from({ length: 1 + action.batch }, (_, i) =>
          this.#call(action.id + i * 3, action.tool, {}, action),
        );
        this.#send(action, calls);
        break;
      }
      case "answer":
        this.#answers(action);
        break;
      case "cancel": {
        const asked = pick(
          this.asked.filter(({ state }) => state === "open" || state === "answering"),
          action.pick,
        );
        if (!asked) break;
        asked.cancelled = true;
        const params = { requestId: id(asked.id) };
        this.client.send(this.#text({ jsonrpc: "2.0", method: "notifications/cancelled", params }, action), action);
        break;
      }
      case "retry": {
        const first = pick(
          this.asked.filter(({ input }) => input),
          action.pick,
        );
        if (!first) break;
        first.input = false;
        this.retried++;
        const more = { requestState: `st${first.n}`, inputResponses: {} };
        this.#send(action, [this.#call(action.id, first.tool, more, { shares: false })]);
        break;
      }
      case "askTask": {
        const about = pick(
          this.asked.filter(({ task }) => task !== ""),
          action.pick,
        );
        if (!about) break;
        const asks = (["result", "get", "cancel"] as const)[action.asks]!;
        const asked = this.#ask({ id: action.id % IDS.length, tool: "", about, asks });
        const params = { taskId: `task${about.n}` };
        this.#send(action, [{ asked, message: { jsonrpc: "2.0", id: id(asked.id), method: `tasks/${asks}`, params } }]);
        break;
      }
      case "tellTask": {
        const about = pick(
          this.asked.filter(({ task }) => task !== ""),
          action.pick,
        );
        if (!about) break;
        const [method, state] =
          about.task === "core"
            ? ["notifications/tasks/status", this.#state(about, action.status % 2, "core")]
            : ["notifications/tasks", this.#state(about, action.status, "extension")];
        this.server.send(this.#text({ jsonrpc: "2.0", method, params: state }, action), action);
        break;
      }
      case "request": {
        if (action.from === 0) {
          const asked = this.#ask({ id: action.id % IDS.length, tool: "" });
          this.#send(action, [{ asked, message: { jsonrpc: "2.0", id: id(asked.id), method: "ping" } }]);
        } else {
          this.#freeLine(
            this.#text(
              { jsonrpc: "2.0", id: id(action.id % IDS.length), method: "elicitation/create", params: {} },
              action,
            ),
            action,
          );
        }
        break;
      }
      case "noise": {
        const text = NOISE[action.text % NOISE.length]!;
        if (action.from === 0) this.client.send(text, action);
        else this.#freeLine(text, action);
        break;
      }
      default:
    }
  }

  /** What each side still has to say. */
  finish(end: Script["end"]): void {
    this.client.flush();
    if (end !== "dies") this.server.flush();
  }

  #ask(more: Pick<Asked, "id" | "tool"> & Partial<Asked>): Asked {
    const asked: Asked = { n: this.asked.length, state: "sending", cancelled: false, task: "", input: false, ...more };
    this.asked.push(asked);
    return asked;
  }

  #call(which: number, tool: string, more: object, { shares }: { readonly shares: boolean }) {
    const asked = this.#ask({ id: which % IDS.length, tool });
    const args = { title: `t${asked.n}`, record: shares ? "shared" : `rec${asked.n}` };
    return {
      asked,
      message: {
        jsonrpc: "2.0",
        id: id(asked.id),
        method: "tools/call",
        params: { name: tool, arguments: args, ...more },
      },
    };
  }

  #send(style: Style, sent: { asked: Asked; message: object }[]): void {
    const messages = sent.map(({ message }) => message);
    const text = this.#text(messages.length === 1 ? messages[0]! : messages, style);
    this.client.send(text, style, () => {
      for (const { asked } of sent) asked.state = "open";
    });
  }

  #answers(action: Extract<Action, { type: "answer" }>): void {
    const open = this.asked.filter(({ state }) => state === "open");
    // A second answer under an id that is in use again could be told from the first by nobody.
    const over = this.asked.filter(
      (asked) =>
        asked.state === "answered" &&
        !this.asked.some((other) => other.n > asked.n && KEYS[other.id] === KEYS[asked.id]),
    );
    const chosen: Asked[] = [];
    for (let i = 0; i <= action.batch; i++) {
      const one = pick(action.again ? over : open.filter((asked) => !chosen.includes(asked)), action.pick + i);
      if (one && !chosen.includes(one)) chosen.push(one);
    }
    if (chosen.length === 0) return;
    const messages = chosen.map((asked, i) => this.#answer(asked, action.kind + i, action.again));
    for (const asked of chosen) asked.state = "answering";
    const style = action.again ? { ...action, waits: false } : action;
    this.server.send(this.#text(messages.length === 1 ? messages[0] : messages, action), style, () => {
      for (const asked of chosen) asked.state = "answered";
    });
  }

  #answer(asked: Asked, kind: number, again: boolean): object {
    const response = (result: object) => ({ jsonrpc: "2.0", id: id(asked.id), result });
    const error = (code: number) => ({ jsonrpc: "2.0", id: id(asked.id), error: { code, message: "no" } });
    const { about, asks } = asked;
    if (about && asks === "result")
      return kind % 4 === 0 ? error(-32000) : response(this.#success(about, asked, again));
    if (about)
      return kind % 7 === 0
        ? error(-32603)
        : response(this.#state(about, kind, about.task === "core" ? "core" : "extension", asked, again));
    if (asked.tool === "") return response({});
    const what = ANSWERS[kind % ANSWERS.length]!;
    if (again) return response(this.#success(asked, asked, true));
    if (what === "error") return error(-1);
    if (what === "isError") return response({ content: [], isError: true });
    if (what === "noId") return response({ content: [] });
    if (what === "later") return response({ resultType: "later" });
    if (what === "task" || what === "extTask") {
      asked.task = what === "task" ? "core" : "extension";
      const state = { taskId: `task${asked.n}`, status: "working" };
      return response(what === "task" ? { task: state } : { resultType: "task", ...state });
    }
    if (what === "input") {
      asked.input = isProtected(asked);
      return response({ resultType: "input_required", requestState: `st${asked.n}` });
    }
    return response(this.#success(asked, asked, false));
  }

  #success(asked: Asked, answers: Asked | undefined, again: boolean): object {
    const mark = this.#marks++;
    this.told.set(mark, { asked, answers, line: this.server.lines.length, again });
    return { content: [{ type: "text", text: "ok" }], structuredContent: { id: `r${asked.n}` }, mark };
  }

  #state(about: Asked, status: number, kind: "core" | "extension", answers?: Asked, again = false): object {
    const state = {
      taskId: `task${about.n}`,
      status: ["working", "completed", "completed", "input_required"][status % 4],
    };
    return kind === "extension" && state.status === "completed"
      ? { ...state, result: this.#success(about, answers, again) }
      : state;
  }

  #freeLine(text: string, style: Style): void {
    this.free.add(this.server.lines.length);
    this.server.send(text, style);
  }

  #text(value: unknown, style: Style): string {
    return write(value, style.blanks, style.escapes);
  }
}

const NOISE = [
  "",
  "   ",
  "Listening on port 3000",
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"é😀"}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}',
  '{"jsonrpc":"2.0","id":1,"result":',
  "[]",
  "[1,null,[]]",
  '{"id":{"a":1},"result":{}}',
  '{"id":77,"result":{"content":[]}}',
  "\u0000\u0001",
];

const id = (which: number) => new Raw(IDS[which]!);

function pick<T>(items: readonly T[], n: number): T | undefined {
  return items.length === 0 ? undefined : items[n % items.length];
}
