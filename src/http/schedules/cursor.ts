/** Lists in the order of time, or of names, go on behind the last item's key, which their cursor holds. */
import Type from "typebox";

import { readUuid } from "../../model/uuid.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;
const CURSOR_LENGTH_MAX = 500;

export const pageFields = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      default: PAGE_DEFAULT,
      description: `from 1 to ${PAGE_MAX}`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: "what the page before gave as next_cursor; without it, the first" }),
  ),
};

export type AskedPage = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** The values of the last item's key; `kinds` says of each what it must be. */
type Key = readonly (string | number)[];
type Kind = "ms" | "uuid" | "text";

export type PageWanted = { readonly limit: number; readonly behind: Key | null };

/** Null when the cursor is none of this list. */
export function readPage(
  { limit = PAGE_DEFAULT, cursor }: AskedPage,
  kinds: readonly Kind[],
): PageWanted | null {
  if (cursor === undefined) return { limit, behind: null };
  const behind = cursor.length > CURSOR_LENGTH_MAX ? null : readKey(cursor, kinds);
  return behind === null ? null : { limit, behind };
}

/** A page, and the next one's cursor when there is one. `found` is one more than the limit when there is more. */
export function pageOf<Item>(
  { limit }: PageWanted,
  found: readonly Item[],
  keyOf: (item: Item) => Key,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length <= limit || last === undefined) return { items };
  return { items, nextCursor: Buffer.from(JSON.stringify(keyOf(last))).toString("base64url") };
}

function readKey(cursor: string, kinds: readonly Kind[]): Key | null {
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(key) || key.length !== kinds.length) return null;
  return kinds.every((kind, index) => isOf(kind, key[index])) ? (key as Key) : null;
}

/** The store's times begin long before. */
const MS_MAX = Date.parse("9999-12-31T00:00:00Z");

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === "ms") return Number.isInteger(value) && Math.abs(value as number) <= MS_MAX;
  if (typeof value !== "string") return false;
  return kind === "uuid" ? readUuid(value) !== null : !/\p{Cc}/u.test(value);
}
