// Records sessions of published clients and servers into test/corpus/wire (its README.md says how). Run: node scripts/record-wire.mjs

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers } from "./wire/peers.mjs";
import { scrubber } from "./wire/scrub.mjs";
import { sessions } from "./wire/sessions.mjs";

const corpus = fileURLToPath(new URL("../test/corpus/wire", import.meta.url));
const relay = fileURLToPath(new URL("wire/relay.mjs", import.meta.url));

async function record(session) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "record-wire-")));
  const room = join(folder, "room");
  mkdirSync(room);
  const { revision, name, starts = [name], talk, refused } = session;
  const client = await session.client({ root: room });
  const server = typeof session.server === "function" ? session.server(room) : session.server;
  try {
    const connected = client.connect(process.execPath, [relay, join(folder, "log"), ...server]);
    if (refused) await connected.catch(() => {});
    else await connected;
    await talk?.(client, room);
  } finally {
    await client.close();
  }
  mkdirSync(join(corpus, revision), { recursive: true });
  starts.forEach((file, index) => {
    if (file === undefined) return;
    const scrub = scrubber(room);
    const lines = readFileSync(join(folder, `log.${index + 1}`), "utf8");
    writeFileSync(join(corpus, revision, `${file}.jsonl`), scrub(lines));
  });
  rmSync(folder, { recursive: true });
}

installPeers();
const wanted = process.argv.slice(2);
for (const session of sessions) {
  const title = `${session.revision}/${session.name}`;
  if (wanted.length > 0 && !wanted.includes(title)) continue;
  console.log(title);
  await record(session);
}
