// Reads the memory file: one JSON object a line, entities and relations. A file that cannot be read whole is in doubt as a whole.

import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";

/** Beyond this size (bytes) the file is not read: the verifier has two seconds, and UNKNOWN is better than a time-out. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/**
 * Gives `{entities, relations, fileExists}`. Throws when `file` (MEMORY_FILE_PATH) does not say where to look, or when what is there is
 * not a memory file from the first line to the last.
 */
export async function readGraph(file) {
  if (file === undefined || file === "") throw new Error("MEMORY_FILE_PATH is not set");
  // The server takes a relative path from its own program's directory, which is unknown here.
  if (!isAbsolute(file)) throw new Error("MEMORY_FILE_PATH is not absolute");
  const text = await readText(file);
  if (text === undefined) return { entities: [], relations: [], fileExists: false };
  const items = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(readItem);
  return {
    entities: items.filter((item) => item.type === "entity"),
    relations: items.filter((item) => item.type === "relation"),
    fileExists: true,
  };
}

/** The file's text, or undefined when it is not there although its directory is. */
async function readText(file) {
  let stats;
  try {
    stats = await stat(file);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    // Without its directory the server could not have written either: it must be looking somewhere else.
    await stat(dirname(file));
    return undefined;
  }
  if (!stats.isFile()) throw new Error("MEMORY_FILE_PATH is not a file");
  if (stats.size > MAX_FILE_BYTES) throw new Error("the memory file is too large to be checked");
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file));
}

/** One line. A torn line, or one that no memory server writes, makes the whole file doubtful. */
function readItem(line) {
  let item;
  try {
    item = JSON.parse(line);
  } catch {
    throw new Error("the memory file has a line that is not JSON");
  }
  const { type } = item ?? {};
  const texts = type === "entity" ? [item.name, item.entityType] : [item?.from, item?.to, item?.relationType];
  const whole = texts.every((text) => typeof text === "string") && (type !== "entity" || isTextList(item.observations));
  if ((type === "entity" || type === "relation") && whole) return item;
  throw new Error("the memory file has a line that is neither an entity nor a relation");
}

function isTextList(value) {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
