/** Events, and what became of them, by the references that they say (model/references.ts). */
import type { DeliveryStatus } from "../../model/delivery.ts";
import type { LogPageRequest } from "../../model/page-request.ts";
import type { WantedReference } from "../../model/references.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { listDeliveriesOf } from "./events.ts";
import { eventListByReference, referenceList } from "./references.sql.ts";
import { eventListOfIds } from "./search.sql.ts";

/** A null account, product or type: any. */
export type ReferenceFilter = {
  readonly reference: WantedReference;
  readonly accountId: string | null;
  readonly product: string | null;
  readonly type: string | null;
};

/** The most references that may begin with what is looked for. */
export const REFERENCES_MAX = 50;
/** Events that one page reads to find those of a type or product. */
const READ_MAX = 2_000;
/** Events whose deliveries are on one page: an event has at most as many as its account has endpoints. */
export const EVENTS_OF_DELIVERIES_MAX = 50;
/** Deliveries that are read of each endpoint behind each event. */
export const NEAR_MAX = 500;

/** Newest first, and up to where was read if there may be more behind it; `data` up to so many bytes of all. */
export async function pageEventsByReference(
  db: Connection,
  cell: Cell,
  { reference, accountId, product, type }: ReferenceFilter,
  page: LogPageRequest,
  pageBytesMax = 0,
) {
  const references = reference.isWhole
    ? [reference.text]
    : (await referenceList(db, cell, { accountId, text: reference.text, limit: REFERENCES_MAX + 1 })).map(
        (one) => one.reference,
      );
  if (references.length > REFERENCES_MAX) return "too_many" as const;
  const readMax = product === null && type === null ? page.limit : READ_MAX;
  const read = await eventListByReference(db, cell, { ...page, accountId, references, readMax });
  const ids = read.map(({ id }) => id);
  const found = await eventListOfIds(db, cell, { ids, product, type, pageBytesMax, limit: page.limit });
  return { found, readTo: ids.length < readMax ? null : ids.at(-1)! };
}

/** Of {@link EVENTS_OF_DELIVERIES_MAX} events at most. */
export function listDeliveriesOfPage(
  db: Connection,
  cell: Cell,
  events: Parameters<typeof listDeliveriesOf>[2],
) {
  return listDeliveriesOf(db, cell, events, NEAR_MAX);
}

/** Events, one more than the page's limit, each with its deliveries of the status, to these endpoints; null: of any, to any. */
export async function pageDeliveriesByReference(
  db: Connection,
  cell: Cell,
  filter: ReferenceFilter,
  of: { readonly status: DeliveryStatus | null; readonly endpointIds: readonly string[] | null },
  page: LogPageRequest,
) {
  const events = await pageEventsByReference(db, cell, filter, { ...page, limit: page.limit + 1 });
  if (events === "too_many") return events;
  const all = await listDeliveriesOfPage(db, cell, events.found);
  const wanted = all.filter(
    ({ status, endpointId }) =>
      (of.status === null || of.status === status) && of.endpointIds?.includes(endpointId) !== false,
  );
  const byEvent = Map.groupBy(wanted.toReversed(), ({ eventId }) => eventId);
  const found = events.found.map(({ id }) => ({ id, deliveries: byEvent.get(id) ?? [] }));
  return { found, readTo: events.readTo };
}
