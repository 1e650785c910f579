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
    Type.Refine(
      Type.String({
        description: "what the page before gave as next_cursor; without it, the newest",
        stated: { pattern: `^[A-Za-z0-9_-]{${CURSOR_LENGTH}}$` },
      }),
      (cursor) => idOf(cursor) !== null,
      () => "must be a cursor",
    ),
  ),
});

/** Of an answer. */
export const NextCursor = Type.Optional(Type.String({ description: "there is more: send it as cursor" }));

export function readPage({ limit = PAGE_DEFAULT, cursor }: Static<typeof PageQuery>): PageRequest {
  return { afterId: cursor === undefined ? null : idOf(cursor), limit };
}

/** The page that a query asks for, and the next one's cursor if there is one. `read` gets a limit of one more, to find out. */
export async function pageOf<Item extends { readonly id: string }>(
  query: Static<typeof PageQuery>,
  read: (wanted: PageRequest) => Promise<readonly Item[]>,
): Promise<{ readonly items: readonly Item[]; readonly next_cursor?: string }> {
  const wanted = readPage(query);
  const found = await read({ ...wanted, limit: wanted.limit + 1 });
  const items = found.slice(0, wanted.limit);
  const last = items.at(-1);
  return found.length > items.length && last !== undefined ? { items, ...cursorOf(last.id) } : { items };
}

/** Of a page: the next one begins behind `lastId`; null: there is none. */
export function cursorOf(lastId: string | null): { readonly next_cursor?: string } {
  return lastId === null
    ? {}
    : { next_cursor: Buffer.from(lastId.replaceAll("-", ""), "hex").toString("base64url") };
}

/** Null: it is no cursor, and the schema of the query refuses it. */
function idOf(cursor: string): string | null {
  if (cursor.length !== CURSOR_LENGTH) return null;
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  return readUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}
