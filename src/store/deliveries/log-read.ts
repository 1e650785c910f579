/** What an account can read of its own: an endpoint's deliveries, and the events of a product. */
import type { AttemptRecord, DeliveryRecord, DeliveryStatus } from "../../model/delivery.ts";
import type { LogPage, LogPageRequest } from "../../model/page-request.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import { attemptList } from "./attempts.sql.ts";
import { deliveryList, deliveryRead } from "./deliveries.sql.ts";
import { eventList } from "./events.sql.ts";

/** What one page looks through: no index has the status or the type, which would make every delivery dearer. */
const SCANNED_MAX = 5_000;
/** Data of one page's events, but for the last one. */
const PAGE_BYTES_MAX = 1024 * 1024;

export type LoggedDelivery = RowOf<typeof deliveryList>;

/** A null status or type: any. */
export async function listDeliveries(
  db: Connection,
  cell: Cell,
  endpointId: string,
  { status, type }: { readonly status: DeliveryStatus | null; readonly type: string | null },
  { fromId, beforeId, limit }: LogPageRequest,
): Promise<LogPage<LoggedDelivery>> {
  return pageOf(
    await deliveryList(db, cell, {
      endpointId,
      beforeId,
      fromId,
      status,
      type,
      scannedMax: SCANNED_MAX,
      limit: limit + 1,
    }),
    limit,
    false,
  );
}

/** A delivery of the endpoint, with its event; null when there is none. */
export async function readDelivery(db: Connection, cell: Cell, endpointId: string, id: string) {
  return await deliveryRead(db, cell, { endpointId, id });
}

/** The attempts of a delivery in their order; those before an upgrade that keeps them are missing. */
export async function listAttempts(
  db: Connection,
  cell: Cell,
  { id, attemptCount, lastStatusCode, deliveredAt }: DeliveryRecord,
): Promise<readonly AttemptRecord[]> {
  const failed = await attemptList(db, cell, id);
  if (deliveredAt === null) return failed;
  const unkept = { durationMs: null, address: null, error: null, answerBytes: null };
  return [...failed, { number: attemptCount, endedAt: deliveredAt, statusCode: lastStatusCode, ...unkept }];
}

/** What was raised for the account on the product, with or without a receiver; a null type: any. */
export async function listEvents(
  db: Connection,
  cell: Cell,
  { accountId, product }: { readonly accountId: string; readonly product: string },
  type: string | null,
  { fromId, beforeId, limit }: LogPageRequest,
) {
  const rows = await eventList(db, cell, {
    accountId,
    product,
    beforeId,
    fromId,
    type,
    scannedMax: SCANNED_MAX,
    limit: limit + 1,
    pageBytesMax: PAGE_BYTES_MAX,
  });
  const read = rows.flatMap(({ data, ...event }) => (data === null ? [] : { ...event, data }));
  return pageOf(read, limit, read.length < rows.length);
}

type Scanned = { readonly id: string; readonly isWanted: boolean; readonly isLast: boolean };

function pageOf<Row extends Scanned>(rows: readonly Row[], limit: number, isCut: boolean): LogPage<Row> {
  const wanted = rows.filter(({ isWanted }) => isWanted);
  const items = wanted.slice(0, limit);
  const last = isCut || wanted.length > limit ? items.at(-1) : rows.find(({ isLast }) => isLast);
  return { items, lastId: last?.id ?? null };
}
