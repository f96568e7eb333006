// `type: file`: one file or folder below a fixed root.

import { offsetInString } from "../../contract/position.ts";
import { memberOf, type Node, type Step } from "../../contract/tree.ts";
import { parsePath } from "../../select/path.ts";
import { type PathTemplate, parsePathTemplate } from "../path-template.ts";
import { type Place, placeNames, placeRight, placeSchema, readPlace } from "../place.ts";
import { words } from "../words.ts";
import type { FieldUse, ReadbackKind } from "./kind.ts";

/** How a file's content becomes the record. */
export type FileFormat = "text" | "json" | "json_lines";

export interface FileSource {
  readonly type: "file";
  readonly root: Place;
  /** The root for people: without the way to it on this machine. */
  readonly shownRoot: string;
  readonly path: PathTemplate;
  readonly entry: "file" | "folder";
  readonly format: FileFormat;
  /** A folder on the way that is not there proves that the file is not. */
  readonly missingFolderIsMissing: boolean;
}

/** The members of the record with format text; a folder has none of them. */
const TEXT_MEMBERS = ["text", "sha256", "size"];

export const file: ReadbackKind = {
  type: "file",
  existenceIsEnough: true,
  properties: {
    root: placeSchema("The folder that everything is read below: relative to this file, or from a variable.", [
      ".",
      { env: "NOTES_FOLDER" },
    ]),
    path_template: {
      description:
        "The path below the root. {field} stands for one name, {+field} for a path; what would lead out of the root is never read.",
      type: "string",
      minLength: 1,
      examples: ["{+path}", "notes/{title}.md"],
    },
    entry: { description: "What is expected there.", enum: ["file", "folder"], default: "file" },
    format: {
      description:
        "What the record is. text: an object with text, sha256 and size. json: the JSON document. json_lines: the list of the lines, each one JSON value.",
      enum: ["text", "json", "json_lines"],
      default: "text",
    },
    missing_folder_is_missing: {
      description:
        "A folder of the path that is not there proves that the file is not. Without it: only a missing last name does.",
      type: "boolean",
      default: false,
    },
  },
  required: ["root", "path_template"],
  right: {
    ...placeRight("root"),
    root: 'a folder, as a string relative to this file, or {"env": "NAME"}',
    path_template: "a path below the root with {field} for extracted values, like notes/{title}.md or {+path}",
    entry: '"file" or "folder"',
    format: '"text", "json" or "json_lines"',
    missing_folder_is_missing: "true or false",
  },
  compile(node, steps, { text, host, note }) {
    const root = readPlace(memberOf(node, "root"), host.directory, (at) =>
      note(at.at, [...steps, "root"], words.noFolder()),
    );
    const written = memberOf(node, "path_template");
    const uses: FieldUse[] = [];
    let path: PathTemplate | undefined;
    if (written?.type === "string" && written.text !== "") {
      const here = [...steps, "path_template"];
      const parsed = parsePathTemplate(written.text);
      if (!parsed.ok) note(written.at, here, words.pathTemplate(parsed.problem));
      else {
        path = parsed.template;
        for (const name of parsed.fields) {
          const at = offsetInString(text, written, written.text.indexOf(`${name}}`));
          uses.push({ name, at, steps: here });
        }
      }
    }
    const folder = textIn(node, "entry") === "folder";
    const format = (textIn(node, "format") ?? "text") as FileFormat;
    const contents = memberOf(node, "format") ?? memberOf(node, "expected_fields") ?? memberOf(node, "any_of");
    if (folder && contents !== undefined) note(contents.at, steps, words.folderHasNoContent());
    if (!folder && format === "text") checkMembers(node, steps, note);
    const missing = memberOf(node, "missing_folder_is_missing");
    if (root === undefined || path === undefined) return undefined;
    const source: FileSource = {
      type: "file",
      root: root.place,
      shownRoot: typeof root.written === "string" ? root.written : `$${root.written.env}`,
      path,
      entry: folder ? "folder" : "file",
      format,
      missingFolderIsMissing: missing?.type === "boolean" && missing.is,
    };
    return {
      source,
      canonical: { ...source, root: root.written },
      credentials: [],
      environment: placeNames(root.place),
      uses,
    };
  },
};

/** A wrong name would be UNKNOWN at every check, so it is told at the start. */
function checkMembers(node: Node, steps: readonly Step[], note: Parameters<ReadbackKind["compile"]>[2]["note"]): void {
  const anyOf = memberOf(node, "any_of");
  const groups: [Node | undefined, readonly Step[]][] = [
    [memberOf(node, "expected_fields"), [...steps, "expected_fields"]],
    ...(anyOf?.type === "list" ? anyOf.items : []).map((item, i): [Node, Step[]] => [item, [...steps, "any_of", i]]),
  ];
  for (const [group, here] of groups) {
    for (const { key, at } of group?.type === "object" ? group.members : []) {
      const parsed = parsePath(key);
      const first = parsed.ok ? parsed.path[0] : undefined;
      if (first === undefined || (first.type !== "each" && first.type !== "index" && TEXT_MEMBERS.includes(first.name)))
        continue;
      note(at, [...here, key], words.fileMember());
    }
  }
}

function textIn(node: Node, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.type === "string" ? member.text : undefined;
}
