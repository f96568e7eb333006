// JSON text -> a lossless value: numbers keep their tokens, so that nothing is rounded before it is compared.

import { MAX_COMPARED_DEPTH } from "../limits.ts";
import { normalNumber } from "../wire/ids.ts";
import { eachMember, itemsOf, kindOf, type Span, stringOf, textOf } from "../wire/json.ts";
import { jsonValue } from "../wire/validate.ts";

/** A JSON value. A number is its token, as it stood on the wire. */
export type Value =
  | { readonly type: "null" }
  | { readonly type: "boolean"; readonly is: boolean }
  | { readonly type: "number"; readonly token: string }
  | { readonly type: "string"; readonly text: string }
  | { readonly type: "list"; readonly items: readonly Value[] }
  | { readonly type: "object"; readonly members: ReadonlyMap<string, Value> };

const encoder = new TextEncoder();

/** The value of a JSON text; undefined when it is not valid, nested too deep, or an object in it gives a key twice. */
export function parseValue(json: string): Value | undefined {
  const bytes = encoder.encode(json);
  const span = jsonValue(bytes, 0, bytes.length);
  return span && valueAt(bytes, span, 0);
}

/** The same for a span of valid JSON. */
export function valueAt(bytes: Uint8Array, span: Span, depth = 0): Value | undefined {
  if (depth > MAX_COMPARED_DEPTH) return undefined;
  switch (kindOf(bytes, span)) {
    case "null":
      return { type: "null" };
    case "boolean":
      return { type: "boolean", is: bytes[span.start] === 0x74 };
    case "number": {
      // A number whose value cannot be told exactly cannot be compared.
      const token = textOf(bytes, span);
      return normalNumber(token) === undefined ? undefined : { type: "number", token };
    }
    case "string": {
      const text = stringOf(bytes, span);
      return text === undefined ? undefined : { type: "string", text };
    }
    case "list": {
      const items: Value[] = [];
      for (const item of itemsOf(bytes, span)) {
        const value = valueAt(bytes, item, depth + 1);
        if (value === undefined) return undefined;
        items.push(value);
      }
      return { type: "list", items };
    }
    case "object": {
      const members = new Map<string, Value>();
      let good = true;
      eachMember(bytes, span, (key, member) => {
        const name = stringOf(bytes, key);
        const value = good ? valueAt(bytes, member, depth + 1) : undefined;
        if (name === undefined || value === undefined || members.has(name)) good = false;
        else members.set(name, value);
      });
      return good ? { type: "object", members } : undefined;
    }
  }
}

/** Typed, exact, structural equality: 1 is 1.0 and 10e-1, but never true and never "1"; lists in order, objects in any order. */
export function equalValues(a: Value, b: Value): boolean {
  if (a.type === "number") return b.type === "number" && sameNumber(a.token, b.token);
  if (a.type === "string") return b.type === "string" && a.text === b.text;
  if (a.type === "boolean") return b.type === "boolean" && a.is === b.is;
  if (a.type === "null") return b.type === "null";
  if (a.type === "list") {
    return (
      b.type === "list" &&
      a.items.length === b.items.length &&
      a.items.every((item, index) => equalValues(item, b.items[index]!))
    );
  }
  if (b.type !== "object" || a.members.size !== b.members.size) return false;
  for (const [name, member] of a.members) {
    const other = b.members.get(name);
    if (other === undefined || !equalValues(member, other)) return false;
  }
  return true;
}

/** Whether two number tokens have the same value, exactly. */
export function sameNumber(a: string, b: string): boolean {
  if (a === b) return true;
  const normal = normalNumber(a);
  return normal !== undefined && normal === normalNumber(b);
}
