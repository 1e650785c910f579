/** Events of all accounts, for the operator. */
import type { LogPageRequest } from "../../model/page-request.ts";
import { firstUuidOf, timeOfUuid } from "../../model/uuid.ts";
import { MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import { deliveryListOfEvents } from "../deliveries/deliveries.sql.ts";
import { eventFind, eventPage, eventPageOfAccount } from "./search.sql.ts";

/** A null account or type: any. `products`: those to search. */
export type EventFilter = {
  readonly accountId: string | null;
  readonly product: string | null;
  readonly type: string | null;
  /** All that there are: an account's events are found by account and product. */
  readonly products: readonly string[];
};

/** How many events one page reads of a cell to find those of a type or product, which have no index. */
const READ_MAX = 2_000;
/** Of larger ones a page has no data. */
const DATA_BYTES_MAX = 8 * 1024;

/** Newest first, and up to where the cell was read if there may be more behind it. */
export async function pageEvents(
  db: Connection,
  cell: Cell,
  { accountId, product, type, products }: EventFilter,
  { beforeId, fromId, limit }: LogPageRequest,
): Promise<EventPage> {
  const isIndexed = type === null && (product === null || accountId !== null);
  const readMax = isIndexed ? limit : READ_MAX;
  const rows = await (accountId === null
    ? eventPage(db, cell, { beforeId, fromId, type, product, readMax, dataBytesMax: DATA_BYTES_MAX, limit })
    : eventPageOfAccount(db, cell, {
        beforeId,
        fromId,
        type,
        products: product === null ? products : [product],
        readMax,
        dataBytesMax: DATA_BYTES_MAX,
        limit,
        accountId,
      }));
  const readTo = rows.find(({ isLastRead }) => isLastRead)?.id ?? null;
  return { found: rows.filter(({ matches }) => matches), readTo };
}

/** An event by its id alone; null when there is none. */
export function findEvent(db: Connection, cell: Cell, id: string) {
  return eventFind(db, cell, id);
}

/** `data`: JSON text; null: it was not read. */
export type FoundEvent = Omit<StoredEvent, "data"> & { readonly bytes: number; readonly data: string | null };

/** Up to where was read, if there may be more behind it. */
export type EventPage = { readonly found: readonly FoundEvent[]; readonly readTo: string | null };

export type StoredEvent = NonNullable<Awaited<ReturnType<typeof findEvent>>>;

/** The clock of the node that wrote them may have been put back a little in between. */
const BEFORE_MS_MAX = SECOND_MS;
/** A commit that is tried again writes deliveries under newer ids. */
const BEHIND_MS_MAX = MINUTE_MS;
/** Of one endpoint, and of all together. */
const NEAR_MAX = 5_000;

type Found = Pick<StoredEvent, "id" | "accountId" | "product">;

/** Those to endpoints that are gone may be missing. */
export function listDeliveriesOf(db: Connection, cell: Cell, events: readonly Found[], nearMax = NEAR_MAX) {
  const wanted = events.map(({ id, accountId, product }) => {
    const atMs = timeOfUuid(id);
    const [fromId, beforeId] = [firstUuidOf(atMs - BEFORE_MS_MAX), firstUuidOf(atMs + BEHIND_MS_MAX)];
    return { id, accountId, product, fromId, beforeId };
  });
  return deliveryListOfEvents(db, cell, { wanted, nearMax });
}

export type DeliveryOfEvent = RowOf<typeof deliveryListOfEvents>;
