// One face for the clients of both SDK generations: connect, call, list, and answer what a server asks.

import { load, peer, scoped } from "./peers.mjs";

const about = { name: "recorder", version: "1.0.0" };
const sampled = { model: "none", role: "assistant", content: { type: "text", text: "Sampled" } };

/** What the client answers to a server; `elicited` is given out in turn, the last one again and again. */
function answers(root, elicited) {
  const given = [...elicited];
  return {
    "sampling/createMessage": () => sampled,
    "elicitation/create": () => (given.length > 1 ? given.shift() : given[0]),
    "roots/list": () => ({ roots: [{ uri: `file://${root}`, name: "root" }] }),
  };
}

const ACCEPTED = [{ action: "accept", content: { title: "Elicited" } }];

/** The client of SDK 1 whose newest revision is this one. */
export async function client1(revision, { root, elicited = ACCEPTED }) {
  const sdk = (file) => load(peer(`sdk-${revision}`, `dist/esm/${file}`));
  const { Client } = await sdk("client/index.js");
  const { StdioClientTransport } = await sdk("client/stdio.js");
  const types = await sdk("types.js");
  const elicitation = revision >= "2025-06-18" ? { elicitation: {} } : {};
  const client = new Client(about, { capabilities: { sampling: {}, roots: {}, ...elicitation } });
  const schemas = {
    "sampling/createMessage": "CreateMessage",
    "elicitation/create": "Elicit",
    "roots/list": "ListRoots",
  };
  const asked = watched(answers(root, elicited), (method, answer) => {
    const schema = types[`${schemas[method]}RequestSchema`];
    if (schema && (method !== "elicitation/create" || elicitation.elicitation))
      client.setRequestHandler(schema, answer);
  });
  return {
    asked,
    connect: (command, args) => client.connect(new StdioClientTransport({ command, args, stderr: "ignore" })),
    list: (cursor) => client.listTools(cursor === undefined ? undefined : { cursor }),
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    request: (method, params, options) => client.request({ method, params }, types.ResultSchema, options),
    close: () => client.close(),
  };
}

/** The client of SDK 2; `mode` is how it finds out what the server speaks. */
export async function client2(mode, { root, elicited = ACCEPTED }) {
  const { Client } = await load(scoped("client", "dist/index.mjs"));
  const { StdioClientTransport } = await load(scoped("client", "dist/stdio.mjs"));
  const capabilities = { sampling: {}, roots: {}, elicitation: { form: {} } };
  const client = new Client(about, { capabilities, ...(mode ? { versionNegotiation: { mode } } : {}) });
  const asked = watched(answers(root, elicited), (method, answer) => client.setRequestHandler(method, answer));
  return {
    asked,
    connect: (command, args) => client.connect(new StdioClientTransport({ command, args, stderr: "ignore" })),
    // A first page is what the client's own list hides: it walks all pages by itself.
    list: (cursor) => client.listTools(cursor === undefined ? undefined : { cursor }),
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    listen: (filter) => client.listen(filter),
    changed: () =>
      new Promise((heard) => client.setNotificationHandler("notifications/tools/list_changed", () => heard())),
    close: () => client.close(),
  };
}

/** Registers the answers. Gives what waits until a server has asked for one and has it. */
function watched(all, register) {
  const waiting = [];
  const seen = new Set();
  for (const [method, answer] of Object.entries(all)) {
    register(method, async () => {
      seen.add(method);
      for (const wake of waiting.splice(0)) setImmediate(wake);
      return answer();
    });
  }
  return async (method) => {
    while (!seen.has(method)) await new Promise((wake) => waiting.push(wake));
  };
}
