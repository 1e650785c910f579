/** Pages of lists by time or name. A cursor has the last item's key, and a hash of the query that it belongs to. */
import { createHash } from "node:crypto";

import Type from "typebox";

import { readUuid } from "../model/uuid.ts";
import { LimitQuery, PAGE_DEFAULT } from "./page.ts";

/** Characters of the longest cursor: a service's name, escaped to six times its length, in base64. */
const CURSOR_LENGTH_MAX = 2_000;

export const pageFields = {
  limit: LimitQuery,
  cursor: Type.Optional(
    Type.String({
      description: "next_cursor of the previous page; without it, the first page",
      stated: { pattern: "^[A-Za-z0-9_-]+$", maxLength: CURSOR_LENGTH_MAX },
    }),
  ),
};

export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** The last item's key; `kinds` has the kind of each value. */
type Key = readonly (string | number)[];
type Kind = "ms" | "uuid" | "text";

export type PageRequest = { readonly limit: number; readonly after: Key | null; readonly queryHash: string };

export const CURSOR_ERROR =
  "query.cursor must be what an answer to the same query gave as next_cursor; leave it out to start again";

/** Null: the cursor belongs to another list or query. */
export function readPage(
  { limit = PAGE_DEFAULT, cursor, ...filters }: PageQuery & Readonly<Record<string, unknown>>,
  kinds: readonly Kind[],
): PageRequest | null {
  const queryHash = queryHashOf(filters);
  if (cursor === undefined) return { limit, after: null, queryHash };
  const after = cursor.length > CURSOR_LENGTH_MAX ? null : readKey(cursor, kinds, queryHash);
  return after === null ? null : { limit, after, queryHash };
}

/** Characters: enough to notice the cursor of another query. */
const QUERY_HASH_LENGTH = 8;

/** The same for any order and case of the filters. */
function queryHashOf(filters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const written = given.map(([name, value]) => [name, String(value).trim().toUpperCase()] as const);
  const sorted = written.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url").slice(0, QUERY_HASH_LENGTH);
}

/** A page, and the cursor of the next one. `found` has one item more than the limit if there is one. */
export function pageOf<Item>(
  { limit, queryHash }: PageRequest,
  found: readonly Item[],
  keyOf: (item: Item) => Key,
): { readonly items: readonly Item[]; readonly next_cursor?: string } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length <= limit || last === undefined) return { items };
  return { items, next_cursor: cursorBehind({ queryHash }, keyOf(last)) };
}

/** The cursor of what comes behind an item. */
export function cursorBehind({ queryHash }: Pick<PageRequest, "queryHash">, key: Key): string {
  return Buffer.from(JSON.stringify([queryHash, ...key])).toString("base64url");
}

function readKey(cursor: string, kinds: readonly Kind[], wanted: string): Key | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const [queryHash, ...key] = value as readonly unknown[];
  if (queryHash !== wanted || key.length !== kinds.length) return null;
  return kinds.every((kind, index) => isKind(kind, key[index])) ? (key as Key) : null;
}

/**
 * Windows of time begin in 1970 and end with the year 9999, by the port's calendar: up to half a day off UTC.
 * PostgreSQL has no time before 4714 BC, nor JavaScript's `Date` one after 275760.
 */
const MS_MIN = Date.parse("1969-12-31T00:00:00Z");
const MS_MAX = Date.parse("+010000-01-02T00:00:00Z");

/** UTF-16 code units of the longest text that is read from a feed. */
const TEXT_LENGTH_MAX = 200;

function isKind(kind: Kind, value: unknown): boolean {
  if (kind === "ms") return Number.isInteger(value) && MS_MIN <= Number(value) && Number(value) <= MS_MAX;
  if (typeof value !== "string") return false;
  if (kind === "uuid") return readUuid(value) !== null;
  // PostgreSQL stores no NUL, and half a surrogate pair has no UTF-8.
  return value.length <= TEXT_LENGTH_MAX && !value.includes("\0") && value.isWellFormed();
}
