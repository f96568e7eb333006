// The type of the generated checks of a read-back, by its type (validate.generated.js, written by scripts/generate.mjs).

import type { Validate } from "../contract/validate.generated.js";

/** Of the keys that all types share; each type's own are exported by the type's name. */
export declare const any: Validate;
