/** Events for every account with an endpoint that takes them, and how far each has come in each cell. */
import type { RaisedEvent } from "../../../model/event.ts";
import type { Cell, Cells } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { writeMessages, type MessageHandlers } from "../../../store/outbox/outbox.ts";
import type { RowOf } from "../../../store/sql.ts";
import {
  broadcastInsert,
  broadcastListReceivers,
  type broadcastFinish,
  type broadcastListGroups,
} from "./broadcasts.sql.ts";

/**
 * An event for every account with an endpoint that subscribes to it; `id` is a UUIDv7. Each account's event carries
 * the `dedupKey`, 1 to 500 characters, so that no account receives it twice while history lasts.
 */
export type Broadcast = Pick<RaisedEvent, "product" | "type" | "data" | "occurredAtMs"> & {
  readonly id: string;
  readonly dedupKey: string;
};

/** Of one message, unless one broadcast has more; a character is a byte or a few. */
const MESSAGE_CHARACTERS_MAX = 512 * 1024;
const MESSAGE_BROADCASTS_MAX = 1_000;
const BROADCASTS = "broadcasts";

/** To the accounts of all cells, in a transaction of `source`, which has an outbox; sent soon after the commit (`Forwarder.wake`). */
export function addBroadcasts(
  tx: Connection,
  source: Cell,
  cells: Cells,
  broadcasts: readonly Broadcast[],
  atMs: number,
): Promise<void> {
  const payloads = splitBroadcasts(broadcasts).map((some) => JSON.stringify(some));
  return writeMessages(tx, source, cells, BROADCASTS, payloads, atMs);
}

function splitBroadcasts(broadcasts: readonly Broadcast[]): readonly (readonly Broadcast[])[] {
  const parts: Broadcast[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const broadcast of broadcasts) {
    characters += broadcast.data.length;
    const last = parts.at(-1);
    if (last !== undefined && last.length < MESSAGE_BROADCASTS_MAX && characters <= MESSAGE_CHARACTERS_MAX) {
      last.push(broadcast);
    } else {
      parts.push([broadcast]);
      characters = broadcast.data.length;
    }
  }
  return parts;
}

/**
 * Inserts what `addBroadcasts` wrote. Twice is once: the key is there for the product, or each account's event has it
 * (spec 6.5: once). `wake` is the broadcaster's.
 */
export function broadcastMessages(wake: (cell: Cell) => void): MessageHandlers {
  return {
    async [BROADCASTS](db, cell, payload) {
      await broadcastInsert(db, cell, JSON.parse(payload) as readonly Broadcast[]);
      wake(cell);
    },
  };
}

/**
 * Broadcasts that the same accounts are still to receive: the accounts after `lastAccountId`, null where none has
 * received them yet. The data of one of them has `bytesMax`.
 */
export type BroadcastGroup = RowOf<typeof broadcastListGroups>;

/** The next accounts after `lastAccountId`, by id, with an active endpoint that subscribes to the event. */
export async function listReceivers(
  db: Connection,
  cell: Cell,
  { product, type, lastAccountId }: Omit<BroadcastGroup, "bytesMax">,
  limit: number,
): Promise<readonly string[]> {
  const rows = await broadcastListReceivers(db, cell, { product, type, lastAccountId, limit });
  return rows.map((row) => row.account_id);
}

/** What each account receives. */
export type BroadcastContent = RowOf<typeof broadcastFinish>;
