import Type, { type Static } from "typebox";

import { readUuid } from "../model/uuid.ts";
import type { PageRequest } from "../model/page-request.ts";

/** Lists come in pages, newest first. A cursor encodes the id of the previous page's last item; clients must not rely on that. */
export const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;
const CURSOR_LENGTH = 22;

export const LimitQuery = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
    description: `from 1 to ${PAGE_MAX}`,
  }),
);

export const PageQuery = Type.Object({
  limit: LimitQuery,
  cursor: Type.Optional(
    Type.String({
      description: "what the page before gave as next_cursor; without it, the newest",
      stated: { pattern: `^[A-Za-z0-9_-]{${CURSOR_LENGTH}}$` },
    }),
  ),
});

/** Of an answer. */
export const NextCursor = Type.Optional(Type.String({ description: "there is more: send it as cursor" }));

/** Null: the cursor is invalid. */
export function readPage({ limit = PAGE_DEFAULT, cursor }: Static<typeof PageQuery>): PageRequest | null {
  if (cursor === undefined) return { afterId: null, limit };
  const afterId = readCursor(cursor);
  return afterId === null ? null : { afterId, limit };
}

export const CURSOR_ERROR =
  "query.cursor must be what an answer gave as next_cursor; leave it out to start again";

/** A page, and the next one's cursor if there is one. `read` gets a limit of one more, to find out. */
export async function pageOf<Item extends { readonly id: string }>(
  wanted: PageRequest,
  read: (wanted: PageRequest) => Promise<readonly Item[]>,
): Promise<{ readonly items: readonly Item[]; readonly nextCursor?: string }> {
  const found = await read({ ...wanted, limit: wanted.limit + 1 });
  const items = found.slice(0, wanted.limit);
  const last = items.at(-1);
  return found.length > items.length && last !== undefined
    ? { items, nextCursor: writeCursor(last.id) }
    : { items };
}

export function writeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

function readCursor(cursor: string): string | null {
  if (cursor.length !== CURSOR_LENGTH) return null;
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  return readUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}
