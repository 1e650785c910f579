/** What an account can read of its own: an endpoint's deliveries, and the events of a product. */
import type { AttemptRecord, DeliveryRecord, DeliveryStatus } from "../../model/delivery.ts";
import type { LogPage, LogPageRequest } from "../../model/page-request.ts";
import type { WantedReference } from "../../model/references.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { EndpointOwner } from "../endpoints/endpoints.ts";
import { endpointListOfAccount } from "../endpoints/endpoints.sql.ts";
import type { DeliveryOfEvent } from "../search/events.ts";
import {
  EVENTS_OF_DELIVERIES_MAX,
  pageDeliveriesByReference,
  pageEventsByReference,
} from "../search/references.ts";
import type { RowOf } from "../sql.ts";
import { attemptList } from "./attempts.sql.ts";
import { pageDeliveries } from "./deliveries-read.ts";
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

/** Null: any. */
export type DeliverySearch = {
  readonly reference: WantedReference | null;
  readonly endpointId: string | null;
  readonly status: DeliveryStatus | null;
  readonly type: string | null;
};

/** With a reference, all deliveries of as many events as the page's limit. */
export async function searchDeliveries(
  db: Connection,
  cell: Cell,
  owner: EndpointOwner,
  { reference, endpointId, status, type }: DeliverySearch,
  wanted: LogPageRequest,
): Promise<LogPage<DeliveryOfEvent> | "too_many"> {
  if (reference !== null) {
    const limit = Math.min(wanted.limit, EVENTS_OF_DELIVERIES_MAX);
    const of = { status, endpointIds: endpointId === null ? null : [endpointId] };
    const read = await pageDeliveriesByReference(db, cell, { ...owner, reference, type }, of, {
      ...wanted,
      limit,
    });
    if (read === "too_many") return read;
    const { items, lastId } = cutAt(read, limit);
    return { items: items.flatMap(({ deliveries }) => deliveries), lastId };
  }
  const endpointIds = endpointId === null ? await endpointsOf(db, cell, owner) : [endpointId];
  const page = { ...wanted, limit: wanted.limit + 1 };
  return cutAt(await pageDeliveries(db, cell, { endpointIds, status, type }, page), wanted.limit);
}

async function endpointsOf(db: Connection, cell: Cell, { accountId, product }: EndpointOwner) {
  const endpoints = await endpointListOfAccount(db, cell, accountId);
  return endpoints.filter((one) => one.product === product).map(({ id }) => id);
}

type Read<Item> = { readonly found: readonly Item[]; readonly readTo: string | null };

/** Of one more than the limit, if there was. */
function cutAt<Item extends { readonly id: string }>(
  { found, readTo }: Read<Item>,
  limit: number,
): LogPage<Item> {
  const items = found.slice(0, limit);
  return { items, lastId: items.length < found.length ? items.at(-1)!.id : readTo };
}

type EventsWanted = { readonly type: string | null; readonly reference: WantedReference | null };

/** What was raised for the account on the product, with or without a receiver; a null type or reference: any. */
export async function listEvents(
  db: Connection,
  cell: Cell,
  owner: EndpointOwner,
  { type, reference }: EventsWanted,
  { fromId, beforeId, limit }: LogPageRequest,
) {
  const wanted = { ...owner, type, fromId, beforeId, limit: limit + 1 };
  if (reference !== null) {
    const page = await pageEventsByReference(db, cell, { ...wanted, reference }, wanted, PAGE_BYTES_MAX);
    if (page === "too_many") return page;
    const { found, readTo } = page;
    const read = found.flatMap(({ data, ...event }) => (data === null ? [] : { ...event, data }));
    const cut = cutAt({ found: read, readTo }, limit);
    return read.length < found.length && read.length <= limit ? { ...cut, lastId: read.at(-1)!.id } : cut;
  }
  const rows = await eventList(db, cell, {
    ...wanted,
    scannedMax: SCANNED_MAX,
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
