// The type of the generated schema check (validate.generated.js, written by scripts/generate.mjs).

import type { Validate } from "../contract/validate.generated.js";

declare const validate: Validate;
export default validate;
