// What a check asks of whom, with which credential, and what proves that there is no such record: in words, one kind a case.

import type { Auth } from "../readback/credentials.ts";
import { writtenPath } from "../readback/path-template.ts";
import type { Place } from "../readback/place.ts";
import type { Expectation, Readback, Source } from "../readback/types.ts";
import type { UrlTemplate } from "../readback/url-template.ts";
import { isSecretName } from "../redact/names.ts";
import { REDACTED, withoutLooks } from "../redact/patterns.ts";
import type { Path } from "../select/types.ts";

/** Templates are texts and names of fields in turn. */
const filled = (parts: readonly string[]): string =>
  parts.map((part, at) => (at % 2 === 1 ? `{${part}}` : part)).join("");
const address = ({ origin, parts }: UrlTemplate): string => `${origin}${filled(parts)}`;
const place = (where: Place): string => ("env" in where ? `the path in the variable ${where.env}` : where.path);

/** A path of the record in words. */
const pathText = (path: Path): string =>
  path.map((step) => (step.type === "each" ? "*" : step.type === "index" ? String(step.index) : step.name)).join(".");

/** Who is asked for what. */
export function asksWords({ source, credentials, find }: Readback): string[] {
  const said = sourceWords(source);
  const auth = "auth" in source ? source.auth : undefined;
  const credential =
    credentials.length === 0
      ? "No credential is sent."
      : `With the credential in ${credentials.join(" and ")}${authWords(auth)}. The server never gets it.`;
  const list =
    find === undefined
      ? []
      : [`Of what comes, the record is the element where ${find.where.map(expectationWords).join(" and ")}.`];
  return [...said, ...list, credential];
}

function sourceWords(source: Source): string[] {
  switch (source.type) {
    case "http":
      return [`fourgate itself asks for ${address(source.url)} (GET).`];
    case "graphql":
      return [`fourgate itself asks ${address(source.url)} with a GraphQL query, which only reads.`];
    case "file":
      return [`fourgate itself reads the ${source.entry} ${writtenPath(source.path)} below ${source.shownRoot}.`];
    case "sql": {
      const { database } = source;
      const where =
        database.type === "postgresql"
          ? `the PostgreSQL database in ${database.dsnEnv}`
          : `the SQLite file ${place(database.file)}`;
      return [`fourgate itself reads ${where}, in a transaction that cannot write: ${filled(source.parts)}`];
    }
    case "mcp":
      return [
        `fourgate itself starts the MCP server ${commandWords(source.command)} and calls its tool ${source.tool}. What that does is not in this contract.`,
      ];
  }
}

/** A value that must stand at a path, and how loosely. */
export function expectationWords({ written, expected, compare, options }: Expectation): string {
  const value = "field" in expected ? `the field ${expected.field}` : expected.json;
  const by = options.by === undefined ? "" : ` by ${options.by}`;
  const tolerance = options.tolerance === undefined ? "" : `, at most ${options.tolerance} apart`;
  return compare === "exact"
    ? `${written} is ${value}`
    : `${written} is ${value} (compared as ${compare}${by}${tolerance})`;
}

/** A command without what looks like a secret: its place is a variable. */
export function commandWords(command: readonly string[]): string {
  const shown = command.map((part, at) =>
    at > 0 && isSecretName(command[at - 1]!) && /^-/.test(command[at - 1]!) ? REDACTED : part,
  );
  return withoutLooks(
    shown
      .join(" ")
      .replace(/(--?[\w-]*=)(\S+)/g, (all, flag: string) => (isSecretName(flag) ? `${flag}${REDACTED}` : all)),
  );
}

function authWords(auth: Auth | undefined): string {
  if (auth === undefined) return "";
  if (auth.scheme === "bearer") return ", as a bearer token";
  return auth.scheme === "header" ? `, in the header ${auth.header}` : ", as user name and password";
}

/** What is taken for a proof that there is no such record; undefined when nothing is. */
export function absenceWords({ source, find, tombstone }: Readback): string | undefined {
  const proofs: string[] = [];
  const marked = tombstone && `the record's ${pathText(tombstone.path)} is ${tombstone.json}`;
  if (find !== undefined && !find.complete) return marked;
  if (find?.complete) proofs.push("no element of the whole list fits");
  if (marked !== undefined) proofs.push(marked);
  const own = ownAbsence(source);
  if (own !== undefined) proofs.push(own);
  return proofs.length === 0 ? undefined : proofs.join(", or ");
}

function ownAbsence(source: Source): string | undefined {
  switch (source.type) {
    case "http":
      return source.missingStatuses.length === 0
        ? undefined
        : `the answer has status ${source.missingStatuses.join(" or ")}`;
    case "graphql":
      return source.nullIsMissing ? "the answer is null" : undefined;
    case "file":
      return source.missingFolderIsMissing
        ? "there is no such entry, or no folder for it"
        : "there is no such entry in its folder";
    case "sql":
      if (source.list) return undefined;
      return source.database.type === "sqlite" || source.emptyProvesAbsence
        ? "no row comes"
        : "no row comes, and the database hides none from this reader";
    case "mcp":
      return source.absentWhen.length === 0
        ? undefined
        : `its answer is: ${source.absentWhen.map(filled).join(", or: ")}`;
  }
}
