// A walk through every feature of server-everything, with all that a client gets to see of it.

import type { Result, SdkClient } from "./sdk.ts";

/** What the client saw: the name of each step and what came of it. */
export type Seen = [step: string, result: Result][];

const ELICITED = { action: "accept", content: { name: "Ada", integer: 7 } };
const SAMPLED = { model: "none", role: "assistant", content: { type: "text", text: "Sampled" } };
const ROOTS = { roots: [{ uri: "file:///rooted", name: "root" }] };
const URI = "demo://resource/dynamic/text/1";

/** Connects and walks. Random ids and times are taken out; everything else is as it came. */
export async function walk(sdk: SdkClient, command: readonly string[], env: Record<string, string>): Promise<Seen> {
  const { client, call } = sdk;
  const seen: Seen = [];
  const note = async (step: string, result: Promise<Result>) => {
    const settled = await result.catch((error: Error) => ({ thrown: error.message }));
    seen.push([step, withoutChance(settled)]);
    return settled;
  };
  const asked: string[] = [];
  for (const [method, answer] of [
    ["sampling/createMessage", SAMPLED],
    ["elicitation/create", ELICITED],
    ["roots/list", ROOTS],
  ] as const) {
    sdk.answer(method, (params) => {
      asked.push(`${method} ${JSON.stringify(params ?? {})}`);
      return answer;
    });
  }
  const log = listener(sdk, "notifications/message");
  const updates = listener(sdk, "notifications/resources/updated");
  const changes = listener(sdk, "notifications/tools/list_changed");
  await sdk.connect(command, env);
  try {
    await note("server", Promise.resolve([client.getServerVersion(), client.getServerCapabilities()]));
    await note("instructions", Promise.resolve(client.getInstructions()));
    await log.has(({ data }) => /Roots updated/.test(data));
    const { task } = await note("task", startTask(sdk));
    await note("tools", client.listTools());

    await note("echo", call("echo", { message: "Tea \u{1f375}" }));
    await note("sum", call("get-sum", { a: 1, b: 2 }));
    await note("wrong arguments", call("echo", {}));
    await note("no such tool", call("nothing", {}));
    await note("no such method", sdk.request("nothing/at-all", {}));
    await note("annotated", call("get-annotated-message", { messageType: "error", includeImage: true }));
    await note("image", call("get-tiny-image"));
    await note("links", call("get-resource-links", { count: 2 }));
    await note("reference", call("get-resource-reference", { resourceType: "Text", resourceId: 1 }));
    await note("structured", call("get-structured-content", { location: "Chicago" }));
    await note("sampling", call("trigger-sampling-request", { prompt: "Tea?", maxTokens: 9 }));
    await note("elicitation", call("trigger-elicitation-request"));
    await note("roots", call("get-roots-list"));

    const progress: unknown[] = [];
    const long = "trigger-long-running-operation";
    const onprogress = (one: unknown) => progress.push(one);
    await note("long", call(long, { duration: 0.3, steps: 3 }, { onprogress }));
    // SDK 1 loses what comes in one piece with the answer, as the last one may.
    await note("progress", Promise.resolve(progress.slice(0, 2)));
    await note("given up", givenUp(sdk, long));

    await note("level", client.setLoggingLevel("debug"));
    const said = log.next();
    await note("logging", call("toggle-simulated-logging"));
    await note(
      "logged",
      said.then(({ level, data }) => [typeof level, typeof data]),
    );
    await note("logging off", call("toggle-simulated-logging"));

    await note("resources", client.listResources());
    await note("templates", client.listResourceTemplates());
    await note("resource", client.readResource({ uri: URI }));
    await note("no such resource", client.readResource({ uri: "demo://resource/static/nothing" }));
    await note("subscribe", client.subscribeResource({ uri: URI }));
    const updated = updates.next();
    await note("updates", call("toggle-subscriber-updates"));
    await note("updated", updated);
    await note("updates off", call("toggle-subscriber-updates"));
    await note("unsubscribe", client.unsubscribeResource({ uri: URI }));

    await note("prompts", client.listPrompts());
    await note("prompt", client.getPrompt({ name: "args-prompt", arguments: { city: "Leeds" } }));
    await note("no such prompt", client.getPrompt({ name: "nothing" }));
    const ref = { type: "ref/prompt" as const, name: "completable-prompt" };
    await note("completion", client.complete({ ref, argument: { name: "department", value: "E" } }));
    await note("ping", client.ping());
    await note("task result", sdk.request("tasks/result", { taskId: task.taskId }));
    await note("asked", Promise.resolve(asked));
    await note("lists changed", Promise.resolve(changes.count()));
  } finally {
    await client.close();
  }
  return seen;
}

/** The calls of `walk`, in the order in which they end. */
export const walked = {
  tools: {
    echo: ["message"],
    "get-sum": ["a", "b"],
    "get-structured-content": ["location"],
    "trigger-sampling-request": ["prompt"],
    "trigger-long-running-operation": ["duration"],
    "simulate-research-query": ["topic"],
  },
  outcomes: [
    "echo pass/postcondition_satisfied",
    "get-sum pass/postcondition_satisfied",
    "echo unknown/not_success_result",
    "get-structured-content pass/postcondition_satisfied",
    "trigger-sampling-request pass/postcondition_satisfied",
    "trigger-long-running-operation pass/postcondition_satisfied",
    "trigger-long-running-operation unknown/cancelled",
    "simulate-research-query pass/postcondition_satisfied",
  ],
};

const startTask = (sdk: SdkClient) =>
  sdk.request("tools/call", {
    name: "simulate-research-query",
    arguments: { topic: "tea" },
    task: { ttl: 60_000 },
  });

/** A call that is given up as soon as the server is at it. */
async function givenUp(sdk: SdkClient, name: string): Promise<Result> {
  const stop = new AbortController();
  return sdk.call(name, { duration: 5, steps: 50 }, { signal: stop.signal, onprogress: () => stop.abort() });
}

/** Everything that is heard under a method, for waiting. */
function listener(sdk: SdkClient, method: string) {
  const heard: Result[] = [];
  const waiting: (() => void)[] = [];
  sdk.hear(method, (params) => {
    heard.push(params);
    for (const wake of waiting.splice(0)) wake();
  });
  const has = async (wanted: (params: Result) => boolean, from = 0): Promise<Result> => {
    for (;;) {
      const found = heard.slice(from).find(wanted);
      if (found) return found;
      await new Promise<void>((wake) => waiting.push(wake));
    }
  };
  return { has, next: () => has(() => true, heard.length), count: () => heard.length };
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2}:\d\d:\d\d(?: [AP]M)?/g;
const DRAWN = /\b[0-9a-f]{32}\b/g;

function withoutChance(value: Result): Result {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value).replace(TIME, "TIME").replace(DRAWN, "ID"));
}
