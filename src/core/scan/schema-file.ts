// The scan format in one piece, read-backs included: schema/scan.schema.json is written from it, for editors.

import { readbackNode } from "../readback/schema.ts";
import { scanSchemaWith } from "./schema.ts";

export const scanSchema = scanSchemaWith(readbackNode);
