// Tells whether a list that was read goes on elsewhere, by the marks that public APIs use: what is not on this page may be there.

import { follow } from "../select/select.ts";
import type { Path } from "../select/types.ts";
import { eachMember, eachScalar, kindOf, type Span, stringOf, textOf } from "../wire/json.ts";

/** Objects beside a list, or beside one of these, that say things about paging. */
const ENVELOPE =
  /^(?:meta|metadata|searchmetadata|responsemetadata|pagination|paginate|paging|pageinfo|page|resultinfo|links?|cursors?)$/;

/** Anything here that is not null, false, empty or zero says that more follows, or that something was left out. */
const MORE =
  /^(?:hasmore(?:items|results|pages)?|hasnext(?:page)?|more|moreitems|moreresults|continue|lastevaluatedkey|remainingitemcount|(?:is|was)?truncated|incompleteresults|partial(?:results)?|timedout|errors?)$/;

/** Where the next page is. `nextSyncToken` and the like, which a last page has, are not of these. */
const NEXT =
  /^next(?:page|cursor|token|link|ur[il]|href|offset|start|key|marker|record|id|pagetoken|pageur[il]|pagelink|pagenumber|pagecursor|pagekey|continuationtoken|recordsurl)?$/;

/** The same for what some systems give on a last page too, unless the same object says that it is the last. */
const PERHAPS = /^(?:cursor|bookmark|scrollid|offset|marker|continuationtoken)$/;

/** False here says that this is not the last page. */
const LAST = /^(?:is)?last(?:page)?$/;

/** How many there are in all. */
const TOTAL =
  /^(?:count|size|hits|(?:total|full)(?:count|size|items|elements|results|records|entries|hits)?|(?:results?|records?|items?)total|numfound)$/;

const PAGES = /^(?:pages|totalpages|pagestotal|pagetotal|pagecount|numpages|lastpage)$/;
const PAGE = /^(?:page|currentpage|pagenumber|pageno|pageindex)$/;

/** How many a page holds at most. */
const LIMIT = /^(?:maxresults|limit|perpage|pagesize|pagelimit)$/;

/** How deep objects about paging are looked for in one another. */
const MAX_ENVELOPES = 3;

/** What was read so far: `count` elements in all, `here` of them on this page. */
interface Seen {
  readonly count: number;
  readonly here: number;
}

/**
 * Whether the document around a list says, at any level from the root down to the list, that there may be more elsewhere.
 * `before` is how many elements were on the pages before this one.
 */
export function hasNextPage(bytes: Uint8Array, root: Span, list: Path, here: number, before: number): boolean {
  const seen = { count: before + here, here };
  return list.some((step, depth) => {
    const level = follow(bytes, root, list.slice(0, depth), 0);
    if (level === undefined || !("start" in level) || kindOf(bytes, level) !== "object") return false;
    return saysMore(bytes, level, seen, 0, step.type === "each" || step.type === "index" ? undefined : step.name);
  });
}

/** Whether one object says so. `towards` is the member that leads to the list and is none of the marks. */
function saysMore(bytes: Uint8Array, object: Span, seen: Seen, depth: number, towards?: string): boolean {
  const marks: (readonly [name: string, value: Span])[] = [];
  eachMember(bytes, object, (key, value) => {
    const name = stringOf(bytes, key);
    if (name !== undefined && name !== towards) marks.push([plainName(name), value]);
  });
  const valuesOf = (names: RegExp) => marks.flatMap(([name, value]) => (names.test(name) ? [value] : []));
  const says = (names: RegExp, text: string) => valuesOf(names).some((value) => plainText(bytes, value) === text);
  const numbersOf = (names: RegExp) => valuesOf(names).flatMap((value) => countOf(bytes, value) ?? []);

  if (valuesOf(MORE).some((value) => isSomething(bytes, value))) return true;
  if (valuesOf(NEXT).some((value) => isSomething(bytes, value))) return true;
  if (says(LAST, "false")) return true;
  const totals = numbersOf(TOTAL);
  if (totals.some((total) => total > seen.count)) return true;
  const page = Math.min(...numbersOf(PAGE));
  if (numbersOf(PAGES).some((pages) => pages > (Number.isFinite(page) ? page : 1))) return true;

  if (!says(/^(?:hasmore|hasnext)/, "false") && !says(LAST, "true")) {
    const after = depth > 0 ? [...valuesOf(PERHAPS), ...valuesOf(/^after$/)] : valuesOf(PERHAPS);
    if (after.some((value) => isPointer(bytes, value))) return true;
    // A full page of a list whose length is not told may be followed by another.
    if (totals.length === 0 && seen.here > 0 && numbersOf(LIMIT).some((limit) => limit <= seen.here)) return true;
  }
  if (depth >= MAX_ENVELOPES) return false;
  return valuesOf(ENVELOPE).some(
    (value) => kindOf(bytes, value) === "object" && saysMore(bytes, value, seen, depth + 1),
  );
}

/** `Has-More`, `hasMore` and `HAS_MORE` are one name; so are `@odata.nextLink` and `nextLink`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^@?odata\./, "")
    .replace(/[^a-z0-9]/g, "");
}

function plainText(bytes: Uint8Array, value: Span): string {
  return (stringOf(bytes, value) ?? textOf(bytes, value)).trim().toLowerCase();
}

/** Anything but null, false, an empty text and zero, or an object or list with something of that kind in it. */
function isSomething(bytes: Uint8Array, value: Span): boolean {
  let something = false;
  eachScalar(bytes, value, (scalar) => {
    const nothing = scalar.start === value.start ? /^(?:null|false|""|-?0(?:\.0+)?)$/ : /^(?:null|false|"")$/;
    if (!nothing.test(textOf(bytes, scalar))) something = true;
  });
  return something;
}

/** A number may only repeat what was asked for, and an object is looked into by its own marks. */
function isPointer(bytes: Uint8Array, value: Span): boolean {
  return kindOf(bytes, value) === "string" && isSomething(bytes, value) && plainText(bytes, value) !== "0";
}

/** A count, as a number or a text of digits, also as `{"value": 9}`. What looks like one and cannot be told is above all others. */
function countOf(bytes: Uint8Array, value: Span): number | undefined {
  const kind = kindOf(bytes, value);
  if (kind === "object") {
    let inner: number | undefined;
    eachMember(bytes, value, (key, member) => {
      if (/^(?:value|total|count)$/.test(stringOf(bytes, key) ?? "") && kindOf(bytes, member) !== "object") {
        inner = countOf(bytes, member);
      }
    });
    return inner;
  }
  if (kind !== "number" && kind !== "string") return undefined;
  const text = plainText(bytes, value);
  if (!/[0-9]/.test(text)) return undefined;
  const count = Number(text);
  return count >= 0 ? count : Number.POSITIVE_INFINITY;
}
