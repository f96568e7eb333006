// What a check asks of whom, with which credential, and what proves that there is no such record: in words, one kind a case.

import type { Auth } from "../readback/credentials.ts";
import { writtenPath } from "../readback/path-template.ts";
import type { Place } from "../readback/place.ts";
import type { Readback, Source } from "../readback/types.ts";
import type { UrlTemplate } from "../readback/url-template.ts";

/** Templates are texts and names of fields in turn. */
const filled = (parts: readonly string[]): string =>
  parts.map((part, at) => (at % 2 === 1 ? `{${part}}` : part)).join("");
const address = ({ origin, parts }: UrlTemplate): string => `${origin}${filled(parts)}`;
const place = (where: Place): string => ("env" in where ? `the path in the variable ${where.env}` : where.path);

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
      : [
          `Of what comes, the record is the element whose ${find.where.map(({ written }) => written).join(" and ")} fits.`,
        ];
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
      return [`fourgate itself starts the MCP server ${source.command.join(" ")} and calls its tool ${source.tool}.`];
  }
}

function authWords(auth: Auth | undefined): string {
  if (auth === undefined) return "";
  if (auth.scheme === "bearer") return ", as a bearer token";
  return auth.scheme === "header" ? `, in the header ${auth.header}` : ", as user name and password";
}

/** What is taken for a proof that there is no such record; undefined when nothing is. */
export function absenceWords({ source, find, tombstone }: Readback): string | undefined {
  const proofs: string[] = [];
  if (find !== undefined && !find.complete) return tombstone ? "the record is marked as deleted" : undefined;
  if (find?.complete) proofs.push("no element of the whole list fits");
  if (tombstone !== undefined) proofs.push("the record is marked as deleted");
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
      return source.emptyProvesAbsence ? "no row comes" : undefined;
    case "mcp":
      return source.absentWhen.length === 0 ? undefined : "its answer is one of the texts that say so";
  }
}
