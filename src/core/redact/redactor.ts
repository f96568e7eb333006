// Takes secrets out of texts and of values that are to be reported: by what they are, by what they are called, and by their looks.

import { MIN_REDACTED_CHARACTERS } from "../limits.ts";
import { partsOf, secretForms } from "./forms.ts";
import { isPrivateVariable, isSecretName } from "./names.ts";
import { REDACTED, withoutLooks } from "./patterns.ts";
import { blanking } from "./search.ts";

export interface Redactor {
  text(text: string): string;
  /** Deeply, keys too; `name` is what the value is called. Gives plain data for JSON. */
  value(value: unknown, name?: string): unknown;
  /** What a value at a path may be shown as: all of it is secret when a name on the way says so. */
  field(path: string, json: string): string;
  /** Every text that is taken out of what a credential's variable holds, for the masks of a CI system. */
  readonly masks: readonly string[];
}

/** `credentials` are variables that hold secrets whatever they are called; of the others the name decides. */
export function createRedactor(
  environment: Readonly<Record<string, string | undefined>>,
  credentials: Iterable<string>,
): Redactor {
  const named = new Set(credentials);
  const secrets = Object.entries(environment).filter(([name]) => named.has(name) || isSecretName(name));
  const others = Object.entries(environment).filter(([name]) => isPrivateVariable(name));
  const blank = blanking([...secrets, ...others].flatMap(([, value]) => partsOf(value ?? "")));
  const text = (given: string): string => withoutLooks(withoutNamed(blank(given)));

  function value(given: unknown, name = ""): unknown {
    if (given !== null && isSecretName(name)) return REDACTED;
    if (typeof given === "string") return text(given);
    if (
      typeof given === "number" &&
      String(given).length >= MIN_REDACTED_CHARACTERS &&
      text(String(given)) !== String(given)
    ) {
      return REDACTED;
    }
    if (Array.isArray(given)) return given.map((item) => value(item));
    if (typeof given !== "object" || given === null) return given;
    const members: Record<string, unknown> = Object.create(null);
    for (const [key, member] of Object.entries(given)) members[text(key)] = value(member, key);
    return members;
  }

  return {
    text,
    value,
    field: (path, json) => (isSecretName(path) ? REDACTED : text(json)),
    masks: [...new Set(secrets.flatMap(([, value]) => secretForms(value ?? "")))],
  };
}

const MEMBER = /("(?:[^"\\\n]|\\.)*")(\s*:\s*)("(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*)/g;
const SETTING = /\b([A-Za-z][\w-]{0,63})(\s?=\s?)([^\s&;,"']+)/g;

/** Members of JSON that stands in a text, and `name=value`, where the name says that the value is secret. */
function withoutNamed(text: string): string {
  return text
    .replace(MEMBER, (all, name: string, colon: string) => (isSecretName(name) ? `${name}${colon}"${REDACTED}"` : all))
    .replace(SETTING, (all, name: string, equals: string) =>
      isSecretName(name) ? `${name}${equals}${REDACTED}` : all,
    );
}
