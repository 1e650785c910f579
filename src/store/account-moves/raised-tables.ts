/** Deliveries, their events and their places in the queue, and the keys of events. */
import { timeOfUuid } from "../../model/uuid.ts";
import { DAY_MS, MINUTE_MS } from "../../runtime/durations.ts";
import { uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import { makePartitions } from "../deliveries/partitions.ts";
import type { Move, MoveStep } from "./move.ts";
import * as sql from "./statements.ts";
import { jsonArray } from "./versioned-tables.ts";

const KEYS_MAX = 2_000;
/** An event may have 256 KiB. */
const DELIVERIES_MAX = 200;
/** What an endpoint's page shows (spec 8: recent_deliveries). */
const RECENT_MAX = 20;
/** By which clocks of nodes differ, and the time that a commit takes. */
const KEYS_LATE_MS = 10 * MINUTE_MS;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Keys are never changed: those from before `sinceMs` are there by the first copy. */
export async function copyKeys(move: Move, step: MoveStep, sinceMs: number): Promise<void> {
  const { database, from, to, accountId } = move;
  const since = new Date(Math.max(0, sinceMs - KEYS_LATE_MS));
  let [product, dedupKey] = ["", ""];
  for (;;) {
    const page = [accountId, since, product, dedupKey, KEYS_MAX] as const;
    const rows = await database.rows(sql.keyTakeOut(from), page);
    if (rows.length > 0) await database.rows(sql.keyPut(to), [jsonArray(rows.map(({ row }) => row))]);
    move.progress(step, rows.length);
    if (rows.length < KEYS_MAX) return;
    ({ product, dedupKey } = rows.at(-1)!);
  }
}

export async function removeKeys(move: Move, cell: Cell): Promise<void> {
  for (;;) {
    const [removed] = await move.database.rows(sql.keyRemove(cell), [move.accountId, KEYS_MAX]);
    move.progress("moving the history", removed!.count);
    if (removed!.count < KEYS_MAX) return;
  }
}

/** The days of the deliveries that come, in the new cell. */
export async function preparePartitions(move: Move, endpointIds: readonly string[]): Promise<void> {
  const { database, clock, from, to } = move;
  const oldest = await database.rows(sql.deliveryFirst(from), [uuidArray(endpointIds)]);
  const times = oldest.flatMap(({ id }) => (id === null ? [] : timeOfUuid(id)));
  if (times.length === 0) return;
  // The event of a delivery may be of the day before.
  await makePartitions(database, to, Math.min(...times) - DAY_MS, clock.nowMs() + DAY_MS);
}

type TakenDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly delivery: string;
  readonly event: string | null;
  /** Separated by commas. */
  readonly attempts: string | null;
  readonly queue?: string;
};

/** What waits for its next attempt, due when it was. Nobody claims it before its endpoint is there. */
export async function copyWaiting(move: Move, endpointId: string): Promise<void> {
  let [dueAt, id] = ["-infinity", FIRST_ID];
  for (;;) {
    const page = [endpointId, dueAt, id, DELIVERIES_MAX] as const;
    const rows = await move.database.rows(sql.deliveryTakeWaiting(move.from), page);
    await put(move, rows);
    move.progress("copying the rest", rows.length);
    if (rows.length < DELIVERIES_MAX) return;
    ({ dueAt, id } = rows.at(-1)!);
  }
}

/** What its clients can see of an endpoint at once. */
export async function copyRecent(move: Move, endpointId: string): Promise<void> {
  const rows = await move.database.rows(sql.deliveryTakeNewest(move.from), [endpointId, RECENT_MAX]);
  await put(move, rows);
  move.progress("copying the rest", rows.length);
}

/** Moves what has ended, newest first. What is removed is in the new cell. */
export async function moveHistory(move: Move, endpointId: string): Promise<void> {
  for (;;) {
    const newest = [endpointId, DELIVERIES_MAX] as const;
    const rows = await move.database.rows(sql.deliveryTakeNewest(move.from), newest);
    if (rows.length === 0) return;
    await put(move, rows);
    await remove(move, move.from, rows);
  }
}

/** Moves the events that have no delivery any more, or never had one. */
export async function moveEvents(move: Move): Promise<void> {
  const { database, accountId, from, to } = move;
  for (;;) {
    const rows = await database.rows(sql.eventTakeOut(from), [accountId, DELIVERIES_MAX]);
    if (rows.length === 0) return;
    const times = rows.map(({ id }) => timeOfUuid(id));
    await makePartitions(database, to, Math.min(...times), Math.max(...times) + 1);
    const events = jsonArray(rows.map(({ event }) => event));
    await database.rows(sql.deliveryPut(to), [events, "[]", "[]", "[]"]);
    const ids = uuidArray(rows.map(({ id }) => id));
    await database.rows(sql.deliveryRemove(from), [uuidArray([]), ids]);
    move.progress("moving the history", rows.length);
  }
}

/** Removes what was copied of an endpoint. */
export async function removeDeliveries(move: Move, cell: Cell, endpointId: string): Promise<void> {
  for (;;) {
    const rows = await move.database.rows(sql.deliveryTakeNewest(cell), [endpointId, DELIVERIES_MAX]);
    if (rows.length === 0) return;
    await remove(move, cell, rows);
  }
}

async function remove(move: Move, cell: Cell, rows: readonly TakenDelivery[]): Promise<void> {
  await move.database.rows(sql.deliveryRemove(cell), [
    uuidArray(rows.map(({ id }) => id)),
    uuidArray(rows.map(({ eventId }) => eventId)),
  ]);
  move.progress("moving the history", rows.length);
}

async function put({ database, to }: Move, rows: readonly TakenDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await database.rows(sql.deliveryPut(to), [
    jsonArray(rows.flatMap(({ event }) => event ?? [])),
    jsonArray(rows.map(({ delivery }) => delivery)),
    jsonArray(rows.flatMap(({ queue }) => queue ?? [])),
    jsonArray(rows.flatMap(({ attempts }) => attempts ?? [])),
  ]);
}
