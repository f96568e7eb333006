// Talks to Redis: just enough of its protocol (RESP2) to log in and to read.

import { connect as connectPlain, isIP } from "node:net";
import { connect as connectTls } from "node:tls";

/** How long Redis may be silent, milliseconds: the verifier has two seconds in all. */
const SILENCE_MS = 1500;

/** The only commands that are sent. */
const READS = new Set(["AUTH", "SELECT", "GET", "PTTL", "EXISTS"]);

/**
 * Connects to `redis://USER:PASSWORD@HOST:PORT/DATABASE` (`rediss://` for TLS) and gives `{ask(...command), close()}`. A reply is a Buffer,
 * null, or a number; an error of Redis rejects with its first word as `code`.
 */
export async function connect(address) {
  const { tls, host, port, user, password, database } = parse(address);
  const socket = tls
    ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : connectPlain({ host, port });
  const waiting = [];
  let received = Buffer.alloc(0);
  const fail = (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error("Redis does not answer")));
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("Redis closed the connection")));
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let reply = read(received); reply !== undefined && waiting.length > 0; reply = read(received)) {
      received = received.subarray(reply.end);
      const { resolve, reject } = waiting.shift();
      if (reply.error === undefined) resolve(reply.value);
      else reject(Object.assign(new Error("Redis refused the command"), { code: reply.error }));
    }
  });
  const ask = (...command) => {
    if (!READS.has(command[0])) throw new Error("not a command for reading");
    const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (socket.destroyed) fail(new Error("Redis closed the connection"));
      else socket.write(`*${command.length}\r\n${parts.join("")}`);
    });
  };
  try {
    if (password !== "") await ask("AUTH", ...(user === "" ? [password] : [user, password]));
    if (database !== "") await ask("SELECT", database);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { ask, close: () => socket.destroy() };
}

function parse(address) {
  if (address === undefined || address === "") throw new Error("REDIS_READ_URL is not set");
  let url;
  try {
    url = new URL(address);
  } catch {
    throw new Error("REDIS_READ_URL is not an address");
  }
  const { protocol, hostname, port, username, password, pathname } = url;
  const database = pathname.slice(1);
  if (!/^rediss?:$/.test(protocol) || hostname === "" || !/^[0-9]*$/.test(database)) {
    throw new Error("REDIS_READ_URL is not an address like redis://user:password@host:6379/0");
  }
  return {
    tls: protocol === "rediss:",
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 6379),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database,
  };
}

/** One reply from the start of the bytes, as `{value | error, end}`; undefined while it is not whole. */
function read(bytes) {
  const line = bytes.indexOf("\r\n");
  if (line < 0) return undefined;
  const text = bytes.toString("latin1", 1, line);
  const end = line + 2;
  switch (String.fromCharCode(bytes[0])) {
    case "+":
      return { value: Buffer.from(text, "latin1"), end };
    case ":":
      return { value: Number(text), end };
    case "-":
      return { error: /^[A-Z]+/.exec(text)?.[0] ?? "ERR", end };
    case "$": {
      const length = Number(text);
      if (length < 0) return { value: null, end };
      if (bytes.length < end + length + 2) return undefined;
      return { value: Buffer.from(bytes.subarray(end, end + length)), end: end + length + 2 };
    }
    default:
      return { error: "PROTOCOL", end: bytes.length };
  }
}
