/**
 * Lists in the order of time, or of names, go on behind the last item's key, which their cursor holds, with a mark of the
 * query whose key it is.
 */
import { createHash } from "node:crypto";

import Type from "typebox";

import { readUuid } from "../../../model/uuid.ts";
import { LimitQuery, PAGE_DEFAULT } from "../../../http/page.ts";

/** Characters of the longest cursor that is given: a service's name, escaped to six times its length, in base64. */
const CURSOR_LENGTH_MAX = 2_000;

export const pageFields = {
  limit: LimitQuery,
  cursor: Type.Optional(
    Type.String({ description: "what the page before gave as next_cursor; without it, the first" }),
  ),
};

export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** The values of the last item's key; `kinds` says of each what it must be. */
type Key = readonly (string | number)[];
type Kind = "ms" | "uuid" | "text";

export type PageRequest = { readonly limit: number; readonly after: Key | null; readonly queryHash: string };

export const CURSOR_ERROR =
  "query.cursor must be what an answer to the same query gave as next_cursor; leave it out to start again";

/** Null when the cursor is none of this list, or of another query. */
export function readPage(
  { limit = PAGE_DEFAULT, cursor, ...filters }: PageQuery & Readonly<Record<string, unknown>>,
  kinds: readonly Kind[],
): PageRequest | null {
  const mark = queryHashOf(filters);
  if (cursor === undefined) return { limit, after: null, queryHash: mark };
  const behind = cursor.length > CURSOR_LENGTH_MAX ? null : readKey(cursor, kinds, mark);
  return behind === null ? null : { limit, after: behind, queryHash: mark };
}

/** Enough to tell a query from another that somebody has mixed up with it. */
const QUERY_HASH_LENGTH = 8;

/** Of the filters as they were written, in any order and case. */
function queryHashOf(filters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const written = given.map(([name, value]) => [name, String(value).trim().toUpperCase()] as const);
  const sorted = written.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url").slice(0, QUERY_HASH_LENGTH);
}

/** A page, and the next one's cursor when there is one. `found` is one more than the limit when there is more. */
export function pageOf<Item>(
  { limit, queryHash }: PageRequest,
  found: readonly Item[],
  keyOf: (item: Item) => Key,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length <= limit || last === undefined) return { items };
  return {
    items,
    nextCursor: Buffer.from(JSON.stringify([queryHash, ...keyOf(last)])).toString("base64url"),
  };
}

function readKey(cursor: string, kinds: readonly Kind[], wanted: string): Key | null {
  let held: unknown;
  try {
    held = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(held)) return null;
  const [mark, ...key] = held as readonly unknown[];
  if (mark !== wanted || key.length !== kinds.length) return null;
  return kinds.every((kind, index) => isKind(kind, key[index])) ? (key as Key) : null;
}

/**
 * Windows of time begin in 1970 and end with the year 9999, by the calendar of the port: up to half a day off UTC's.
 * PostgreSQL takes no time before 4714 BC, nor JavaScript's `Date` one after 275760.
 */
const MS_MIN = Date.parse("1969-12-31T00:00:00Z");
const MS_MAX = Date.parse("+010000-01-02T00:00:00Z");

/** UTF-16 code units of the longest text that a feed's answer is read for. */
const TEXT_LENGTH_MAX = 200;

function isKind(kind: Kind, value: unknown): boolean {
  if (kind === "ms") return Number.isInteger(value) && MS_MIN <= Number(value) && Number(value) <= MS_MAX;
  if (typeof value !== "string") return false;
  if (kind === "uuid") return readUuid(value) !== null;
  // PostgreSQL stores no NUL, and half a surrogate pair has no UTF-8.
  return value.length <= TEXT_LENGTH_MAX && !value.includes("\0") && value.isWellFormed();
}
