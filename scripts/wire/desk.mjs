// A server on the published SDK of any revision, with one tool for each thing that a server can answer or ask.
// Usage: desk.mjs SDK_FOLDER REVISION

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [, , folder, revision] = process.argv;
const modern = revision === "2026-07-28";
const load = (file) => import(pathToFileURL(join(folder, "dist", modern ? file.modern : `esm/${file.legacy}`)).href);

const text = (words) => [{ type: "text", text: words }];
const object = (properties = {}) => ({ type: "object", properties });
const titled = object({ title: { type: "string" } });
const noted = { ...object({ id: { type: "integer" }, title: { type: "string" } }), required: ["id"] };
const structured = revision >= "2025-06-18";

const tools = [
  { name: "create_note", inputSchema: titled, ...(structured ? { outputSchema: noted } : {}) },
  { name: "refuse", inputSchema: titled },
  { name: "break", inputSchema: titled },
  { name: "count", inputSchema: titled, annotations: { readOnlyHint: true } },
  { name: "wait", inputSchema: titled },
  { name: "ask_model", inputSchema: titled },
  { name: "ask_user", inputSchema: titled },
  { name: "ask_roots", inputSchema: titled },
  { name: "grow", inputSchema: object() },
];
const PAGE = 4;
/** Milliseconds before an answer, so that calls made together are answered in another order. */
const LATE = { "Tea 1": 80, "Tea 2": 40 };

const question = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const prompt = { messages: [{ role: "user", content: { type: "text", text: "A title?" } }], maxTokens: 9 };
const elicitation = { message: "Which title?", requestedSchema: question };
let notes = 0;

function list({ params }) {
  const at = Number(params?.cursor ?? 0);
  const next = at + PAGE < tools.length ? { nextCursor: String(at + PAGE) } : {};
  return { tools: tools.slice(at, at + PAGE), ...next };
}

function create(title, words = `Created "${title}"`) {
  notes++;
  return { content: text(words), ...(structured ? { structuredContent: { id: notes, title } } : {}) };
}

/** `peer` is what the SDK lets a handler do: tell, ask, and notice a cancel. */
async function call({ params }, peer) {
  const { title = "" } = params.arguments ?? {};
  const progress = (count) =>
    peer.tell("notifications/progress", { progressToken: peer.token, progress: count, total: 3 });
  switch (params.name) {
    case "create_note":
      await pause(LATE[title] ?? 0);
      return create(title);
    case "refuse":
      return { content: text("Not allowed"), isError: true };
    case "break":
      throw Object.assign(new Error("Out of paper"), { code: -32603 });
    case "count":
      for (const step of [1, 2, 3]) if (peer.token !== undefined) await progress(step);
      return { content: text("Counted") };
    case "wait":
      await progress(1);
      return new Promise((_, stop) => peer.signal.addEventListener("abort", () => stop(new Error("Aborted"))));
    case "ask_model":
      return create((await peer.ask("sampling/createMessage", prompt)).content.text);
    case "ask_user": {
      const { action, content } = await peer.ask("elicitation/create", elicitation);
      return action === "accept" ? create(content.title) : { content: text("Left alone"), isError: true };
    }
    case "ask_roots":
      return create((await peer.ask("roots/list")).roots[0].uri);
    case "grow":
      tools.push({ name: `grown_${tools.length}`, inputSchema: titled });
      await peer.tell("notifications/tools/list_changed");
      return { content: text("Grown") };
    default:
      if (!tools.some(({ name }) => name === params.name)) return { content: text("No such tool"), isError: true };
      return create(title);
  }
}

const about = { name: "desk", version: "1.0.0" };
const capabilities = { tools: { listChanged: true }, logging: {} };

if (modern) {
  const { Server, inputRequired } = await load({ modern: "index.mjs" });
  const { serveStdio } = await load({ modern: "stdio.mjs" });
  /** In this revision a question is an answer: the call comes again with what was asked for. */
  const asked = {
    ask_user: ["who", inputRequired.elicit(elicitation)],
    ask_model: ["who", inputRequired.createMessage(prompt)],
  };
  serveStdio(
    () => {
      const server = new Server(about, { capabilities });
      server.setRequestHandler("tools/list", list);
      server.setRequestHandler("tools/call", (request, context) => {
        const { _meta, inputResponses, notify, signal } = context.mcpReq;
        const { name } = request.params;
        if (Object.hasOwn(asked, name) && !inputResponses) {
          const [key, question] = asked[name];
          return inputRequired({ inputRequests: { [key]: question }, requestState: `${name} 1/2` });
        }
        return call(request, {
          token: _meta?.progressToken,
          signal,
          // Nobody is told that lists have changed who did not ask to be; the server knows who did.
          tell: (method, params) => (params ? notify({ method, params }) : server.sendToolListChanged()),
          ask: async () => inputResponses.who,
        });
      });
      return server;
    },
    { legacy: "reject" },
  );
} else {
  const { Server } = await load({ legacy: "server/index.js" });
  const { StdioServerTransport } = await load({ legacy: "server/stdio.js" });
  const types = await load({ legacy: "types.js" });
  const schemas = {
    "sampling/createMessage": types.CreateMessageResultSchema,
    "elicitation/create": types.ElicitResultSchema,
    "roots/list": types.ListRootsResultSchema,
  };
  const server = new Server(about, { capabilities });
  server.setRequestHandler(types.ListToolsRequestSchema, list);
  server.setRequestHandler(types.CallToolRequestSchema, (request, { signal }) =>
    call(request, {
      token: request.params._meta?.progressToken,
      signal,
      tell: (method, params) => server.notification({ method, ...(params ? { params } : {}) }),
      ask: (method, params) => server.request({ method, ...(params ? { params } : {}) }, schemas[method]),
    }),
  );
  await server.connect(new StdioServerTransport());
}
