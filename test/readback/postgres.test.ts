// Reading a real PostgreSQL: types, refusals, row-level security, locks, time limits, connections that die.

import { connect, createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Adapter, openAdapter } from "../../src/readback/adapter.ts";
import { parseDsn } from "../../src/readback/postgres-dsn.ts";
import { type Postgres, startPostgres } from "../fixtures/postgres.ts";
import { fieldsOf, type RunOptions, readback, run } from "./reading.ts";
import { AUTHORITY } from "./tls.ts";

let server: Postgres;
beforeAll(async () => {
  server = await startPostgres();
  await server.run(`
    DROP SCHEMA IF EXISTS fourgate_test CASCADE;
    DROP ROLE IF EXISTS fourgate_reader;
    CREATE SCHEMA fourgate_test;
    CREATE ROLE fourgate_reader LOGIN PASSWORD 'pass word/?#@:';
    ALTER ROLE fourgate_reader SET search_path = fourgate_test;
    GRANT USAGE ON SCHEMA fourgate_test TO fourgate_reader;
    SET search_path = fourgate_test;
    CREATE TABLE t (id bigint PRIMARY KEY, title text, done boolean, price numeric, at timestamptz, tags jsonb);
    INSERT INTO t VALUES (7, 't', true, 0.1000000000000000055511151231257827, '2026-03-03T08:59:00-08:00', '["a","b"]'),
      (1915883588174806058, 'big', false, 1.50, NULL, NULL);
    CREATE TABLE hidden (id bigint, title text, owner text);
    INSERT INTO hidden VALUES (7, 't', 'fourgate_reader'), (8, 't', 'someone');
    ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON hidden USING (owner = current_user);
    CREATE TABLE denied (id bigint, title text);
    CREATE SEQUENCE counter;
    CREATE FUNCTION writes() RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (99, 'w'); RETURN 't'; END $$;
    GRANT SELECT ON t, hidden TO fourgate_reader;
    GRANT INSERT ON t TO fourgate_reader;
    GRANT ALL ON SEQUENCE counter TO fourgate_reader;`);
});
afterAll(() => server.stop());

const about = (more: object = {}) => ({
  type: "sql",
  dsn_env: "DSN",
  select: "SELECT * FROM t WHERE id = :id",
  attempts: 1,
  expected_fields: { title: "title" },
  ...more,
});
const dsn = (query?: string) => server.as("fourgate_reader", "pass word/?#@:", query);
const check = (more: object, values: Record<string, unknown> = {}, options: RunOptions = {}) =>
  run(about(more), { fields: fieldsOf({ id: 7, title: "t", ...values }), environment: { DSN: dsn() }, ...options });

describe("a row", () => {
  test("with what is expected is PASS, with anything else FAIL", async () => {
    expect(await check({})).toMatchObject({ type: "pass" });
    expect(await check({}, { title: "T" })).toMatchObject({ type: "fail", reason: "field_mismatch", unmet: ["title"] });
    expect(await check({}, { id: "7" })).toMatchObject({ type: "pass" });
  });

  test("keeps types and digits", async () => {
    const fields = fieldsOf(
      { done: true, tags: ["a", "b"], at: "2026-03-03T16:59:00Z" },
      { id: "7", price: "0.1000000000000000055511151231257827" },
    );
    const expected_fields = {
      id: "id",
      done: "done",
      price: "price",
      tags: "tags",
      at: { field: "at", compare: "instant" },
    };
    expect(await check({ expected_fields }, {}, { fields })).toMatchObject({ type: "pass" });
    const near = (id: string) => ({ fields: fieldsOf({ title: "big" }, { id }) });
    expect(await check({}, {}, near("1915883588174806058"))).toMatchObject({ type: "pass" });
    expect(await check({}, {}, near("1915883588174806059"))).toMatchObject({ reason: "record_missing" });
  });

  test("that is not there is FAIL, and PASS after a delete", async () => {
    expect(await check({}, { id: 99 })).toMatchObject({ type: "fail", reason: "record_missing" });
    const gone = { expect: "absent", expected_fields: undefined };
    expect(await check(gone, { id: 99 })).toMatchObject({ type: "pass" });
    expect(await check(gone)).toMatchObject({ type: "fail", reason: "record_present" });
  });

  test("that is not the only one is UNKNOWN, unless it is found by its key", async () => {
    const all = { select: "SELECT * FROM t ORDER BY id;" };
    expect(await check(all)).toMatchObject({ reason: "readback_unconfirmed" });
    const find = { ...all, find: { in: "$", where: { id: "id" }, complete: true } };
    expect(await check(find)).toMatchObject({ type: "pass" });
    expect(await check(find, { id: 99 })).toMatchObject({ reason: "record_missing" });
  });

  test("may come from WITH and VALUES, with a comment at the end", async () => {
    expect(
      await check({ select: "WITH x AS (SELECT * FROM t) SELECT title FROM x WHERE id = :id -- end" }),
    ).toMatchObject({
      type: "pass",
    });
    const values = { select: "VALUES (:title, 1)", expected_fields: { column1: "title" } };
    expect(await check(values)).toMatchObject({ type: "pass" });
  });
});

describe("no row where row-level security holds", () => {
  const hidden = { select: "SELECT * FROM hidden WHERE id = :id" };

  test("proves nothing; a row that is seen does", async () => {
    expect(await check(hidden)).toMatchObject({ type: "pass" });
    for (const expect_ of ["present", "absent"]) {
      const more = { ...hidden, expect: expect_, ...(expect_ === "absent" && { expected_fields: undefined }) };
      expect(await check(more, { id: 8 })).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
    }
  });

  test("is proof where the contract says so", async () => {
    expect(await check({ ...hidden, empty_proves_absence: true }, { id: 9 })).toMatchObject({
      reason: "record_missing",
    });
  });
});

describe("a read", () => {
  const refused: [string, string, Record<string, unknown>, string][] = [
    ["without the right to", "SELECT * FROM denied WHERE id = :id", {}, "readback_unconfirmed"],
    ["of a table that is not there", "SELECT * FROM none WHERE id = :id", {}, "readback_unconfirmed"],
    ["of a value of another type", "SELECT * FROM t WHERE id = :id", { id: "x" }, "readback_selector_invalid"],
    ["of a value out of range", "SELECT * FROM t WHERE id = :id", { id: "9".repeat(30) }, "readback_selector_invalid"],
    ["of null", "SELECT * FROM t WHERE id = :id", { id: null }, "readback_selector_invalid"],
    ["through a function that writes", "SELECT writes() AS title", {}, "readback_unconfirmed"],
    ["of a sequence's next value", "SELECT nextval('counter')::text AS title", {}, "readback_unconfirmed"],
    ["of a column twice", "SELECT 't' AS title, 'x' AS title", {}, "readback_shape_invalid"],
    ["of more than 1 MiB", "SELECT repeat('x', 3000000) AS title", {}, "readback_unconfirmed"],
  ];
  test.each(refused)("%s is UNKNOWN", async (_, select, values, reason) => {
    expect(await check({ select }, values)).toMatchObject({ type: "unknown", reason });
  });

  test("that would write has written nothing", async () => {
    await check({ select: "SELECT writes() AS title" });
    expect(await check({}, { id: 99 })).toMatchObject({ reason: "record_missing" });
  });

  test("that takes too long is ended on the server too", async () => {
    const slow = { select: "SELECT pg_sleep(30)::text AS title" };
    const begin = performance.now();
    expect(await check(slow, {}, { ...environment(), budgetMs: 400 })).toMatchObject({ reason: "readback_timeout" });
    expect(performance.now() - begin).toBeLessThan(1500);
    const left =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND state = 'active'";
    const none = { select: `${left} AND pid <> pg_backend_pid()`, expected_fields: { n: { value: 0 } } };
    expect(await check({ ...none, attempts: 5, interval_ms: 200 })).toMatchObject({ type: "pass" });
  });

  test("of a table that another session has locked is UNKNOWN", async () => {
    const other = new pg.Client({ connectionString: server.dsn });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE fourgate_test.t IN ACCESS EXCLUSIVE MODE");
    expect(await check({}, {}, { ...environment(), budgetMs: 400 })).toMatchObject({ reason: "readback_timeout" });
    await other.query("ROLLBACK");
    await other.end();
    expect(await check({})).toMatchObject({ type: "pass" });
  });
});

const environment = () => ({ environment: { DSN: dsn() } });

describe("a connection", () => {
  test.each<[string, () => string, string, string?]>([
    ["with a variable that is not set", () => "", "credential_missing"],
    ["with a text that is no connection string", () => "host=localhost", "readback_error"],
    ["with a check of certificates turned off", () => dsn("sslmode=no-verify"), "readback_error"],
    ["with TLS to a server that speaks none", () => dsn("sslmode=require"), "readback_error"],
    [
      "to a port where nobody listens",
      () => "postgresql://u:p@127.0.0.1:1/db",
      "readback_error",
      "SELECT ECONNREFUSED",
    ],
    [
      "to a database that is not there",
      () => changed(dsn(), { pathname: "/none" }),
      "readback_unconfirmed",
      "SELECT 3D000",
    ],
  ])("%s is UNKNOWN", async (_, text, reason, note) => {
    const outcome = await check({}, {}, { environment: { DSN: text() } });
    expect(outcome).toMatchObject({ type: "unknown", reason, ...(note && { note }) });
    expect(JSON.stringify(outcome)).not.toMatch(/pass( |%20)word/);
  });

  test("that says nothing is UNKNOWN in time", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    const port = await listen(silent);
    const options = { environment: { DSN: `postgresql://u:p@127.0.0.1:${port}/db` }, budgetMs: 300 };
    expect(await check({}, {}, options)).toMatchObject({ reason: "readback_timeout" });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test("is kept, and made anew once it has died", async () => {
    const { proxy, sockets, port } = await relay();
    const adapter = await opened(changed(dsn(), { hostname: "127.0.0.1", port: String(port) }));
    expect(await read(adapter)).toMatchObject({ type: "record" });
    expect(await read(adapter)).toMatchObject({ type: "record" });
    expect(sockets).toHaveLength(1);
    const died = new Promise((closed) => sockets[0]!.once("close", closed));
    await server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fourgate'");
    await died;
    expect(await read(adapter)).toMatchObject({ type: "record" });
    expect(sockets).toHaveLength(2);
    // This time without a word: the reader only notices when it asks.
    sockets[1]!.destroy();
    expect(await read(adapter)).toMatchObject({ type: "record" });
    await adapter.close();
    proxy.close();
  });

  test("that dies while it is asked is UNKNOWN", async () => {
    const adapter = await opened(dsn(), "SELECT pg_sleep(20)::text AS title");
    const reading = read(adapter);
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND state = 'active' AND pid <> pg_backend_pid()`;
    let done = false;
    void reading.then(() => {
      done = true;
    });
    while (!done) await server.run(kill);
    expect(await reading).toMatchObject({ type: "doubt", reason: "readback_error" });
    await adapter.close();
  });

  test("is one of four at most", async () => {
    const { proxy, sockets, port } = await relay();
    const adapter = await opened(changed(dsn(), { hostname: "127.0.0.1", port: String(port) }));
    const types = (await Promise.all(Array.from({ length: 16 }, () => read(adapter)))).map(({ type }) => type);
    expect(types).toEqual(Array(16).fill("record"));
    expect(sockets.length).toBeLessThanOrEqual(4);
    await adapter.close();
    proxy.close();
  });
});

describe("a server that wants passwords and TLS", () => {
  let strict: Postgres;
  beforeAll(async () => {
    strict = await startPostgres(true);
  });
  afterAll(() => strict.stop());

  const select = { select: "SELECT 't' AS title" };
  const ask = (password: string, query: string, host = "127.0.0.1") =>
    check(select, {}, { environment: { DSN: strict.as("reader", password, query).replace("127.0.0.1", host) } });

  test("gets both", async () => {
    const ca = encodeURIComponent(AUTHORITY);
    expect(await ask("right", `sslmode=verify-full&sslrootcert=${ca}`, "localhost")).toMatchObject({ type: "pass" });
  });

  test("refuses a wrong password", async () => {
    const ca = encodeURIComponent(AUTHORITY);
    const outcome = await ask("wrong", `sslmode=require&sslrootcert=${ca}`, "localhost");
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_unconfirmed", note: "SELECT 28P01" });
  });

  test("refuses a connection without TLS", async () => {
    expect(await ask("right", "sslmode=disable")).toMatchObject({ note: "SELECT 28000" });
  });

  test("is not trusted without its authority", async () => {
    expect(await ask("right", "sslmode=require", "localhost")).toMatchObject({ reason: "readback_error" });
  });
});

describe("connection strings", () => {
  test.each([
    ["postgres://h/db", { host: "h", port: 5432, database: "db", ssl: { rejectUnauthorized: true } }],
    [
      "postgresql://u:p%40:x@[::1]:7/db?sslmode=disable",
      { host: "::1", port: 7, user: "u", password: "p@:x", database: "db", ssl: false },
    ],
    ["postgresql:///db?host=/run/pg&port=7", { host: "/run/pg", port: 7, database: "db", ssl: false }],
    ["postgresql://localhost/db", { host: "localhost", port: 5432, database: "db", ssl: false }],
    [
      "postgresql://u@h/db?options=endpoint%3Dx&sslmode=prefer",
      { host: "h", port: 5432, user: "u", database: "db", options: "endpoint=x", ssl: { rejectUnauthorized: true } },
    ],
  ])("%s", (text, meant) => {
    expect(parseDsn(text)).toEqual(meant);
  });

  test.each([
    "",
    "mysql://h/db",
    "host=h",
    "postgresql://h:x/db",
    "postgresql://%zz@h/db",
    "postgresql://h/db?sslmode=no-verify",
  ])("%s is none", (text) => {
    expect(parseDsn(text)).toBeUndefined();
  });
});

function changed(text: string, parts: Partial<URL>): string {
  return Object.assign(new URL(text), parts).href;
}

async function opened(text: string, select?: string): Promise<Adapter> {
  const spec = await readback(about(select === undefined ? {} : { select }));
  return openAdapter(spec.source, { environment: { DSN: text } });
}

function read(adapter: Adapter) {
  const signal = new AbortController().signal;
  return adapter.read({ fields: fieldsOf({ id: 7 }), limitMs: 20_000, signal });
}

/** A way to the server that counts its connections. */
async function relay(): Promise<{ proxy: Server; sockets: Socket[]; port: number }> {
  const { hostname, port } = new URL(server.dsn);
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    sockets.push(socket);
    const onward = connect(Number(port || 5432), hostname);
    socket.on("error", () => onward.destroy()).on("close", () => onward.destroy());
    onward.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  return { proxy, sockets, port: await listen(proxy) };
}

function listen(on: Server): Promise<number> {
  return new Promise((resolve) => {
    on.listen(0, "127.0.0.1", () => resolve((on.address() as { port: number }).port));
  });
}
