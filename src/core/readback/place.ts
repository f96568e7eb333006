// Where something lies on this machine: a path that the contract gives, or a variable that holds one.

import { memberOf, type Node } from "../contract/tree.ts";

export type Place =
  /** The absolute path. */
  | { readonly path: string }
  /** The variable that holds an absolute path. */
  | { readonly env: string };

export interface PlaceRead {
  readonly place: Place;
  /** As it is written: what it means does not depend on where the contract lies. */
  readonly written: string | { readonly env: string };
}

/** JSON Schema of a place. */
export const placeSchema = (description: string, examples: readonly unknown[]) => ({
  description,
  type: ["string", "object"],
  minLength: 1,
  required: ["env"],
  additionalProperties: false,
  properties: {
    env: {
      description: "The environment variable that holds an absolute path.",
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z_0-9]*$",
    },
  },
  examples,
});

/** What would be right for `env` in the place that stands under `key`. */
export const placeRight = (key: string) => ({ [`${key}.env`]: "the name of an environment variable, as a string" });

/** Reads a place; `resolve` makes a path absolute, and gives undefined for one that it refuses. */
export function readPlace(
  node: Node | undefined,
  resolve: (path: string) => string | undefined,
  refuse: (node: Node) => void,
): PlaceRead | undefined {
  if (node?.type === "string") {
    if (node.text === "") return undefined;
    const path = resolve(node.text);
    if (path === undefined) refuse(node);
    return path === undefined ? undefined : { place: { path }, written: node.text };
  }
  const env = node && memberOf(node, "env");
  return env?.type === "string" ? { place: { env: env.text }, written: { env: env.text } } : undefined;
}

/** The variables that a place needs. */
export function placeNames(place: Place): string[] {
  return "env" in place ? [place.env] : [];
}
