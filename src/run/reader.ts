// `fourgate --reader`: what a guard starts beside itself to read systems of record; not for people.

import { runReader } from "../readback/reader-main.ts";
import { keepYoungGenerationSmall } from "./guard/young-generation.ts";
import { readContext } from "./read-context.ts";

/** Runs until its stdin ends. Connections that are still open then do not matter: the process is to be ended. */
export async function reader(): Promise<number> {
  keepYoungGenerationSmall();
  await runReader((source) => readContext(source, process.env));
  return 0;
}
