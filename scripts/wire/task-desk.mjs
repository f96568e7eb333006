// A server on the published SDK whose one tool works as a task of revision 2025-11-25, and may fail or refuse.
// Usage: task-desk.mjs SDK_FOLDER

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const sdk = (file) => import(pathToFileURL(join(process.argv[2], "dist/esm", file)).href);
const { McpServer } = await sdk("server/mcp.js");
const { StdioServerTransport } = await sdk("server/stdio.js");
const { InMemoryTaskStore } = await sdk("experimental/tasks/index.js");

const tasks = { requests: { tools: { call: {} } }, cancel: {}, list: {} };
const taskStore = new InMemoryTaskStore();
const server = new McpServer(
  { name: "task-desk", version: "1.0.0" },
  { capabilities: { tools: {}, tasks }, taskStore },
);
const text = (words) => [{ type: "text", text: words }];

function outcome(title) {
  if (title === "fail") return ["failed", { content: text("Out of paper"), isError: true }];
  if (title === "refuse") return ["completed", { content: text("Not allowed"), isError: true }];
  return ["completed", { content: text("Created"), structuredContent: { id: 1, title } }];
}

const { CallToolRequestSchema } = await sdk("types.js");
server.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { taskStore: tasks }) => {
  const task = await tasks.createTask({ ttl: 60_000, pollInterval: 100 });
  setImmediate(() => tasks.storeTaskResult(task.taskId, ...outcome(params.arguments.title)));
  return { task };
});
await server.connect(new StdioServerTransport());
