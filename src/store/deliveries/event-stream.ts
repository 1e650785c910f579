import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { eventStream } from "./events.sql.ts";

const PAGE_MAX = 100;
const PAGE_BYTES_MAX = 256 * 1024;

/** The account's events after one id and before another, oldest first; `isFull`: there may be more. */
export async function readEvents(
  db: Connection,
  cell: Cell,
  { accountId, product }: { readonly accountId: string; readonly product: string },
  { afterId, beforeId }: { readonly afterId: string; readonly beforeId: string },
) {
  const events = await eventStream(db, cell, {
    accountId,
    product,
    afterId,
    beforeId,
    pageMax: PAGE_MAX,
    pageBytesMax: PAGE_BYTES_MAX,
  });
  const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  return { events, isFull: events.length === PAGE_MAX || bytes >= PAGE_BYTES_MAX };
}
