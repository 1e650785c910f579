import Type, { type Static } from "typebox";

import { readUuid } from "../model/uuid.ts";

/**
 * Lists come in pages, newest first. A cursor is the id of the last item of the page before, written so
 * that nobody takes it for one: what it holds may change.
 */
const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;
const CURSOR_LENGTH = 22;

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: `from 1 to ${PAGE_MAX}` }),
  ),
  cursor: Type.Optional(
    Type.String({ description: "what the page before gave as next_cursor; without it, the newest" }),
  ),
});

/** What to ask the store for: one more than the page holds, to learn whether there is another. */
export type PageWanted = { readonly afterId: string | null; readonly limit: number };

/** Null when the cursor is none of ours. */
export function readPage({ limit = PAGE_DEFAULT, cursor }: Static<typeof PageQuery>): PageWanted | null {
  if (cursor === undefined) return { afterId: null, limit: limit + 1 };
  const afterId = readCursor(cursor);
  return afterId === null ? null : { afterId, limit: limit + 1 };
}

export const CURSOR_FLAW = "query.cursor must be what an answer gave as next_cursor; leave it out to start again";

/** The page's items, and the next page's cursor when there is one. */
export function cutPage<Item extends { readonly id: string }>(
  found: readonly Item[],
  wanted: PageWanted,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const items = found.slice(0, wanted.limit - 1);
  const last = items.at(-1);
  return found.length < wanted.limit || last === undefined ? { items } : { items, nextCursor: writeCursor(last.id) };
}

function writeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

function readCursor(cursor: string): string | null {
  if (cursor.length !== CURSOR_LENGTH) return null;
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  return readUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}
