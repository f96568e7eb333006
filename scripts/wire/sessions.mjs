// The sessions that are recorded: who talks to whom, and about what.

import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { client1, client2 } from "./clients.mjs";
import { peer, scoped } from "./peers.mjs";

const node = process.execPath;
const own = (name) => fileURLToPath(new URL(name, import.meta.url));
const desk = (folder, revision) => [node, own("desk.mjs"), folder, revision];
const everything = (revision) => [node, peer(`everything-${revision}`, "dist/index.js")];
const ignore = () => {};

/** Every page of the list. */
async function listAll(client) {
  for (let page = await client.list(); page.nextCursor !== undefined; ) page = await client.list(page.nextCursor);
}

/** A call that the client gives up once the server has said that it is at it. */
async function cancelled(client, name, args) {
  const stop = new AbortController();
  const started = Promise.withResolvers?.() ?? withResolvers();
  const call = client.call(name, args, { signal: stop.signal, onprogress: started.resolve }).catch(ignore);
  await started.promise;
  stop.abort();
  await call;
}

function withResolvers() {
  const found = {};
  found.promise = new Promise((resolve) => {
    found.resolve = resolve;
  });
  return found;
}

/** Everything that the desk can answer or ask. */
async function tour(client, { asks = ["ask_model", "ask_user", "ask_roots"] } = {}) {
  await listAll(client);
  await client.call("create_note", { title: "Tea" });
  await client.call("create_note", { title: 'caf\u00e9 \u{1f375} "\\/\u2028' });
  await client.call("refuse", { title: "Coffee" });
  await client.call("break", { title: "Coffee" }).catch(ignore);
  await client.call("count", { title: "Tea" }, { onprogress: ignore });
  await cancelled(client, "wait", { title: "Tea" });
  for (const name of asks) await client.call(name, { title: "Tea" }).catch(ignore);
  await Promise.all([1, 2, 3].map((n) => client.call("create_note", { title: `Tea ${n}` })));
  await client.call("grow", {});
  await listAll(client);
  await client.call("grown_9", { title: "Tea" });
  await client.call("nothing", { title: "Tea" }).catch(ignore);
}

/** The tools of server-everything under the names that they had. */
const NAMES = {
  "2024-11-05": { sum: "add", long: "longRunningOperation", sample: "sampleLLM", annotated: "annotatedMessage" },
  "2025-11-25": {
    sum: "get-sum",
    long: "trigger-long-running-operation",
    sample: "trigger-sampling-request",
    annotated: "get-annotated-message",
    structured: "get-structured-content",
    elicit: "trigger-elicitation-request",
    roots: "get-roots-list",
  },
};
NAMES["2025-03-26"] = NAMES["2024-11-05"];
NAMES["2025-06-18"] = {
  ...NAMES["2024-11-05"],
  structured: "structuredContent",
  elicit: "startElicitation",
  roots: "listRoots",
};

async function everyTool(client, revision) {
  const names = NAMES[revision];
  // It asks for the roots by itself, and says what it thinks of them, before the first call.
  if (revision >= "2025-06-18") await client.asked("roots/list");
  await listAll(client);
  await client.call("echo", { message: "Tea" });
  await client.call(names.sum, { a: 1, b: 2 });
  await client.call("echo", {}).catch(ignore);
  await client.call("nothing", {}).catch(ignore);
  await client.call(names.annotated, { messageType: "error", includeImage: false });
  await client.call(names.long, { duration: 0.06, steps: 3 }, { onprogress: ignore });
  await cancelled(client, names.long, { duration: 0.5, steps: 5 });
  await client.call(names.sample, { prompt: "Tea?", maxTokens: 9 });
  if (names.structured)
    await client.call(names.structured, { location: revision === "2025-06-18" ? "Leeds" : "Chicago" });
  if (names.elicit) await client.call(names.elicit, {});
  if (names.roots) await client.call(names.roots, {});
}

/** A call that becomes a task, followed until its result or until the client gives it up. */
async function task(client, name, args, { cancel = false } = {}) {
  const { task } = await client.request("tools/call", { name, arguments: args, task: { ttl: 60_000 } });
  const { taskId } = task;
  if (cancel) {
    await client.request("tasks/cancel", { taskId });
    await client.request("tasks/get", { taskId });
    await client.request("tasks/result", { taskId }).catch(ignore);
    return;
  }
  const known = (status) => ["working", "submitted"].includes(status);
  for (let { status } = task; known(status); await pause(300)) {
    ({ status } = await client.request("tasks/get", { taskId }));
  }
  await client.request("tasks/result", { taskId }).catch(ignore);
}

const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/** `name` is the file; `talk` gets a connected client; with `starts`, that many starts of the server are kept as files. */
export const sessions = [
  ...LEGACY.flatMap((revision) => [
    {
      revision,
      name: "desk",
      client: (options) => client1(revision, options),
      server: desk(peer(`sdk-${revision}`, ""), revision),
      talk: (client) => tour(client, revision < "2025-06-18" ? { asks: ["ask_model", "ask_roots"] } : {}),
    },
    {
      revision,
      name: "everything",
      client: (options) => client1(revision, options),
      server: everything(revision),
      talk: (client) => everyTool(client, revision),
    },
  ]),
  {
    revision: "2025-11-25",
    name: "desk-client-2",
    client: (options) => client2(undefined, options),
    server: desk(peer("sdk-2025-11-25", ""), "2025-11-25"),
    talk: (client) => tour(client),
  },
  {
    revision: "2025-11-25",
    name: "probed",
    starts: ["probe", "probed"],
    client: (options) => client2("auto", options),
    server: desk(peer("sdk-2025-11-25", ""), "2025-11-25"),
    talk: (client) => client.call("create_note", { title: "Tea" }),
  },
  {
    revision: "2025-11-25",
    name: "declined",
    client: (options) => client1("2025-11-25", { ...options, elicited: [{ action: "decline" }] }),
    server: desk(peer("sdk-2025-11-25", ""), "2025-11-25"),
    talk: (client) => client.call("ask_user", { title: "Tea" }),
  },
  {
    revision: "2025-11-25",
    name: "filesystem",
    client: (options) => client1("2025-11-25", options),
    server: (folder) => [node, scoped("server-filesystem", "dist/index.js"), folder],
    talk: async (client, folder) => {
      await client.asked("roots/list");
      await client.call("create_directory", { path: `${folder}/d` });
      await client.call("write_file", { path: `${folder}/d/a.txt`, content: "caf\u00e9\n" });
      await client.call("write_file", { path: "/outside/a.txt", content: "x" });
      await client.call("read_text_file", { path: `${folder}/d/a.txt` });
    },
  },
  {
    revision: "2025-11-25",
    name: "memory",
    client: (options) => client2(undefined, options),
    server: (folder) => [
      "env",
      `MEMORY_FILE_PATH=${folder}/memory.jsonl`,
      node,
      scoped("server-memory", "dist/index.js"),
    ],
    talk: async (client) => {
      await listAll(client);
      const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }];
      await client.call("create_entities", { entities });
      await client.call("create_entities", { entities });
      await client.call("delete_entities", { entityNames: ["Nobody"] });
    },
  },
  {
    revision: "2025-11-25",
    name: "task",
    client: (options) => client1("2025-11-25", options),
    server: everything("2025-11-25"),
    talk: (client) => task(client, "simulate-research-query", { topic: "tea" }),
  },
  {
    revision: "2025-11-25",
    name: "task-input-required",
    client: (options) =>
      client1("2025-11-25", { ...options, elicited: [{ action: "accept", content: { interpretation: "current" } }] }),
    server: everything("2025-11-25"),
    talk: (client) => task(client, "simulate-research-query", { topic: "tea", ambiguous: true }),
  },
  {
    revision: "2025-11-25",
    name: "task-cancelled",
    client: (options) => client1("2025-11-25", options),
    server: everything("2025-11-25"),
    talk: (client) => task(client, "simulate-research-query", { topic: "tea" }, { cancel: true }),
  },
  {
    revision: "2025-11-25",
    name: "task-failed",
    client: (options) => client1("2025-11-25", options),
    server: [node, own("task-desk.mjs"), peer("sdk-2025-11-25", "")],
    talk: (client) => task(client, "create_later", { title: "fail" }),
  },
  {
    revision: "2025-11-25",
    name: "task-at-once",
    client: (options) => client1("2025-11-25", options),
    server: [node, own("task-desk.mjs"), peer("sdk-2025-11-25", "")],
    talk: async (client) => {
      await task(client, "create_later", { title: "Tea" });
      await task(client, "create_later", { title: "refuse" });
    },
  },
  {
    revision: "2026-07-28",
    name: "desk",
    starts: [undefined, "desk"],
    client: (options) => client2({ pin: "2026-07-28" }, options),
    server: desk(scoped("server", ""), "2026-07-28"),
    talk: (client) => tour(client, { asks: ["ask_model", "ask_user"] }),
  },
  {
    revision: "2026-07-28",
    name: "listening",
    starts: [undefined, "listening"],
    client: (options) => client2({ pin: "2026-07-28" }, options),
    server: desk(scoped("server", ""), "2026-07-28"),
    talk: async (client) => {
      const changed = client.changed();
      await client.call("create_note", { title: "Tea" });
      await client.listen({ toolsListChanged: true });
      await client.call("grow", {});
      await changed;
      await listAll(client);
      await client.call("grown_9", { title: "Tea" });
    },
  },
  {
    revision: "2026-07-28",
    name: "probed",
    starts: ["probe", "probed"],
    client: (options) => client2("auto", options),
    server: desk(scoped("server", ""), "2026-07-28"),
    talk: (client) => client.call("create_note", { title: "Tea" }),
  },
  {
    revision: "2026-07-28",
    name: "declined",
    starts: [undefined, "declined"],
    client: (options) => client2("auto", { ...options, elicited: [{ action: "decline" }] }),
    server: desk(scoped("server", ""), "2026-07-28"),
    talk: (client) => client.call("ask_user", { title: "Tea" }).catch(ignore),
  },
  {
    revision: "2026-07-28",
    name: "refused",
    client: (options) => client1("2025-11-25", options),
    server: desk(scoped("server", ""), "2026-07-28"),
    refused: true,
  },
];
