// The contract format in one piece, read-backs included: schema/contract.schema.json is written from it, for editors.

import { contractSchemaWith } from "../contract/schema.ts";
import { readbackNode } from "./schema.ts";

export const contractSchema = contractSchemaWith(readbackNode);
