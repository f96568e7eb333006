// The position tree: a contract file's values with the place in the text of each, the same for JSON and YAML.

/** A member of an object; `at` is the offset of its key. */
export interface Member {
  readonly key: string;
  readonly at: number;
  readonly value: Node;
}

/** A value and where it stands: `at` and `end` are offsets in the decoded text (UTF-16 units). */
export type Node = { readonly at: number; readonly end: number } & (
  | { readonly type: "object"; readonly members: readonly Member[] }
  | { readonly type: "list"; readonly items: readonly Node[] }
  | { readonly type: "string"; readonly text: string }
  /** `token` is the number as it is written. */
  | { readonly type: "number"; readonly token: string }
  | { readonly type: "boolean"; readonly is: boolean }
  | { readonly type: "null" }
);

/** One step from a value to a part of it. */
export type Step = string | number;

/** A member of an object; of one that is given twice the last, as every JSON parser takes it. */
export function memberNamed(node: Node, key: string): Member | undefined {
  if (node.type !== "object") return undefined;
  if (node.members.length <= FEW) return node.members.findLast((member) => member.key === key);
  let named = byName.get(node);
  if (named === undefined) {
    named = new Map(node.members.map((member) => [member.key, member]));
    byName.set(node, named);
  }
  return named.get(key);
}

/** The value of a member. */
export function memberOf(node: Node, key: string): Node | undefined {
  return memberNamed(node, key)?.value;
}

// A search through few members is quicker than a map; without the map, a file of very many wrong keys would take minutes.
const FEW = 16;
const byName = new WeakMap<Node, Map<string, Member>>();

/** Follows steps from a value; undefined when there is nothing. */
export function nodeAt(root: Node, steps: readonly Step[]): Node | undefined {
  let node: Node | undefined = root;
  for (const step of steps) {
    if (node === undefined) return undefined;
    if (node.type === "list") node = node.items[Number(step)];
    else node = memberOf(node, String(step));
  }
  return node;
}

/** Whole numbers only, as they are spelled: `1000.0` and `1e3` are no integers here. */
export const INTEGER_TOKEN = /^-?[0-9]+$/;

/** The plain value for the schema check. Objects have no prototype, so that a key like `__proto__` is only a key. */
export function toValue(node: Node): unknown {
  switch (node.type) {
    case "object": {
      const value: Record<string, unknown> = Object.create(null);
      for (const member of node.members) value[member.key] = toValue(member.value);
      return value;
    }
    case "list":
      return node.items.map(toValue);
    case "string":
      return node.text;
    case "number":
      return INTEGER_TOKEN.test(node.token) ? Number(node.token) : Number.NaN;
    case "boolean":
      return node.is;
    case "null":
      return null;
  }
}
