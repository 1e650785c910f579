/** Events and deliveries as they lie in the store, for tests of what is read of them. */
import { randomUUID } from "node:crypto";

import { createReferenceReader } from "../../src/model/references.ts";
import { firstUuidOf } from "../../src/model/uuid.ts";
import { products } from "../../src/products/index.ts";
import type { TestDatabase } from "./database.ts";

const referencesOf = createReferenceReader(products);

/** A UUIDv7 of that time; those of the process never go back. */
export function uuidAt(ms: number): string {
  return `${firstUuidOf(ms).slice(0, 14)}7${randomUUID().slice(15)}`;
}

export type StoredEvent = {
  readonly atMs: number;
  readonly id?: string;
  readonly type?: string;
  readonly data?: string;
  /** Of the ids: the event's time. */
  readonly occurredMs?: number;
};

export type StoredDelivery = StoredEvent & {
  readonly eventId?: string;
  /** The event is there already. */
  readonly isStored?: boolean;
  readonly status?: "pending" | "delivered" | "dead";
  readonly attempts?: number;
  readonly statusCode?: number;
  /** Of a delivery that was not made. */
  readonly error?: string;
  readonly deliveredMs?: number;
};

type On = Pick<TestDatabase, "cells" | "queryEach">;

const at = (ms: number): string => new Date(ms).toISOString();

/** Events of the endpoint's account and product, without deliveries; ids in the order of `events`. */
export async function storeEvents(
  on: On,
  endpointId: string,
  events: readonly StoredEvent[],
): Promise<readonly string[]> {
  const rows = events.map(({ id, atMs, type = "ping", data = "{}", occurredMs = atMs }) => {
    const references = products.flatMap(({ tag }) => referencesOf(tag, type, JSON.parse(data)));
    return {
      id: id ?? uuidAt(atMs),
      type,
      data,
      occurred: at(occurredMs),
      references: [...new Set(references)],
    };
  });
  // The endpoint lives in one of the cells.
  await on.queryEach(
    on.cells,
    `with stored as (
       select s.*, e.account_id, e.product
       from cell.endpoints e,
         jsonb_to_recordset($2) s (id uuid, type text, data text, occurred timestamptz, "references" text[])
       where e.id = $1
     ),
     found_by as (
       insert into cell.event_references (account_id, reference, event_id)
       select account_id, unnest("references"), id from stored
     )
     insert into cell.events (id, account_id, product, type, occurred_at, data)
     select id, account_id, product, type, occurred, data from stored`,
    [endpointId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

/** Deliveries to the endpoint, each of an event of its own unless that is stored. */
export async function storeDeliveries(
  on: On,
  endpointId: string,
  deliveries: readonly StoredDelivery[],
): Promise<readonly { readonly id: string; readonly eventId: string }[]> {
  const rows = deliveries.map((one) => {
    const { id = uuidAt(one.atMs), eventId = uuidAt(one.atMs), status = "delivered", attempts = 1 } = one;
    const isDelivered = status === "delivered";
    return {
      ...{ id, eventId, status, attempts, code: one.statusCode ?? null, created: at(one.atMs) },
      error: isDelivered ? null : (one.error ?? null),
      delivered: isDelivered ? at(one.deliveredMs ?? one.atMs) : null,
    };
  });
  await storeEvents(
    on,
    endpointId,
    deliveries.flatMap((one, place) => (one.isStored ? [] : { ...one, id: rows[place]!.eventId })),
  );
  await on.queryEach(
    on.cells,
    `insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, last_status_code, status, last_error,
       created_at, delivered_at)
     select s.id, s."eventId", e.id, s.attempts, s.code, s.status, s.error, s.created, s.delivered
     from cell.endpoints e, jsonb_to_recordset($2) s (id uuid, "eventId" uuid, attempts int, code int, status text,
       error text, created timestamptz, delivered timestamptz)
     where e.id = $1`,
    [endpointId, JSON.stringify(rows)],
  );
  return rows;
}
