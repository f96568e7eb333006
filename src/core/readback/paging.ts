// Tells whether a list that was read goes on elsewhere, by the marks that public APIs use: what is not on this page may be there.

import { parsePath } from "../select/path.ts";
import { follow } from "../select/select.ts";
import type { Path } from "../select/types.ts";
import { kindOf, type Span, textOf } from "../wire/json.ts";

const path = (text: string): Path => {
  const parsed = parsePath(text);
  return parsed.ok ? parsed.path : [];
};

/** A value here that is neither null, false, empty nor zero says that more follows. */
const MORE = [
  ...["next", "next_page", "nextPage", "next_cursor", "nextCursor", "nextPageToken", "next_page_token", "nextLink"],
  ...["$['@odata.nextLink']", "has_more", "hasMore", "has_next", "hasNext", "hasNextPage", "paging.next", "links.next"],
  ...["_links.next", "pageInfo.hasNextPage", "pagination.next", "meta.next_page", "response_metadata.next_cursor"],
  "cursor.next",
].map(path);

/** True here says that this is the last page; false, that it is not. */
const LAST = ["isLast", "is_last", "isLastPage", "last"].map(path);

/** How many there are in all. */
const TOTAL = ["total", "total_count", "totalCount", "totalSize", "meta.total"].map(path);

/** Whether the document around a list of `count` elements says that there are more elsewhere. */
export function hasNextPage(bytes: Uint8Array, root: Span, count: number): boolean {
  const textAt = (at: Path): string | undefined => {
    if (kindOf(bytes, root) !== "object") return undefined;
    const found = follow(bytes, root, at, 0);
    return found !== undefined && "start" in found ? textOf(bytes, found) : undefined;
  };
  const truthy = (text: string | undefined) =>
    text !== undefined && !/^(?:null|false|""|0|\{\s*\}|\[\s*\])$/.test(text);
  if (MORE.some((at) => truthy(textAt(at)))) return true;
  if (LAST.some((at) => textAt(at) === "false")) return true;
  return TOTAL.some((at) => Number(textAt(at)) > count);
}
