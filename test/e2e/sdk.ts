// The published clients of both SDK generations behind one face, for tests that drive real servers with them.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as types from "@modelcontextprotocol/sdk/types.js";

/** What scripts/test-packages.mjs installed. */
export const testPackage = (name: string, file = "") => resolve("test/packages/node_modules", name, file);
const load = (path: string) => import(pathToFileURL(path).href);

export const EVERYTHING = testPackage("@modelcontextprotocol/server-everything", "dist/index.js");

// biome-ignore lint/suspicious/noExplicitAny: results of two SDKs, compared and not looked into
export type Result = any;

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: unknown) => void;
}

export interface SdkClient {
  /** The client itself, for what both generations name alike. */
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  request(method: string, params: Record<string, unknown>): Promise<Result>;
  answer(method: string, answer: (params: Result) => object): void;
  hear(method: string, heard: (params: Result) => void): void;
  connect(command: readonly string[], env?: Record<string, string>): Promise<void>;
}

export type Generation = "SDK 1" | "SDK 2";
export const generations: readonly Generation[] = ["SDK 1", "SDK 2"];

const about = { name: "test", version: "1" };
const capabilities = { sampling: {}, roots: { listChanged: true }, elicitation: { form: {} } };

/** A client that is not connected yet; `mode` is how one of SDK 2 finds out what the server speaks. */
export const sdkClient = (generation: Generation, mode?: "auto") => (generation === "SDK 1" ? first() : second(mode));

const SCHEMAS: Record<string, Result> = {
  "sampling/createMessage": types.CreateMessageRequestSchema,
  "elicitation/create": types.ElicitRequestSchema,
  "roots/list": types.ListRootsRequestSchema,
  "notifications/message": types.LoggingMessageNotificationSchema,
  "notifications/resources/updated": types.ResourceUpdatedNotificationSchema,
  "notifications/tools/list_changed": types.ToolListChangedNotificationSchema,
};

async function first(): Promise<SdkClient> {
  const client = new Client(about, { capabilities });
  return {
    client,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options as Parameters<Client["callTool"]>[2]),
    request: (method, params) => client.request({ method, params } as Result, types.ResultSchema),
    answer: (method, answer) =>
      client.setRequestHandler(SCHEMAS[method], async (request: Result) => answer(request.params)),
    hear: (method, heard) => client.setNotificationHandler(SCHEMAS[method], ({ params }: Result) => heard(params)),
    connect: ([command, ...args], env = {}) =>
      client.connect(new StdioClientTransport({ command: command!, args, env, stderr: "ignore" })),
  };
}

async function second(mode?: "auto"): Promise<SdkClient> {
  const v2 = await load(testPackage("@modelcontextprotocol/client", "dist/index.mjs"));
  const stdio = await load(testPackage("@modelcontextprotocol/client", "dist/stdio.mjs"));
  const client = new v2.Client(about, { capabilities, ...(mode ? { versionNegotiation: { mode } } : {}) });
  return {
    client,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options),
    request: (method, params) => client.request({ method, params }, types.ResultSchema),
    answer: (method, answer) => client.setRequestHandler(method, async (request: Result) => answer(request.params)),
    hear: (method, heard) => client.setNotificationHandler(method, ({ params }: Result) => heard(params)),
    connect: ([command, ...args], env = {}) =>
      client.connect(new stdio.StdioClientTransport({ command, args, env, stderr: "ignore" })),
  };
}
