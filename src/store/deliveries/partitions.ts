import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import { pruneStep } from "../prune-step.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { partitionDrop, partitionLockTimeout, partitionMake, partitionPropagate } from "./partitions.sql.ts";
import { queueDropOrphans } from "./queue.sql.ts";

/**
 * Makes the daily partitions of events and deliveries that ids of the times in [fromMs, toMs) fall in, as
 * far as they are missing, for a thousand days at most; any number of processes may do so at
 * once. Returns how many it made.
 */
export async function makePartitions(database: Database, cell: Cell, fromMs: number, toMs: number) {
  return (
    await partitionMake(database.owner(cell), cell, {
      fromDay: dayOf(fromMs),
      untilDay: dayOf(toMs + DAY_MS - 1),
    })
  ).made;
}

/**
 * Drops the partitions that lie wholly before `beforeMs`, but none with a delivery that still waits in the
 * queue; events stay a day longer. Returns the days whose deliveries were dropped, `YYYY-MM-DD`.
 * Throws `StoreUnavailable` when a long statement is in the way: harmless, try again later.
 */
export function dropPartitions(database: Database, cell: Cell, beforeMs: number) {
  return database.owner(cell).transaction(async (tx) => {
    await partitionPropagate(tx, cell);
    await partitionLockTimeout(tx, cell);
    return (await partitionDrop(tx, cell, dayOf(beforeMs))).map(({ day }) => day);
  });
}

/**
 * Removes what stands in the queue for deliveries of days before `beforeMs` and will never be sent, since it
 * has ended or is gone; true when there is more.
 */
export function dropOrphans(db: Connection, cell: Cell, beforeMs: number) {
  return pruneStep((limit) => queueDropOrphans(db, cell, { beforeDay: dayOf(beforeMs), limit }));
}

/** The day, in UTC, as PostgreSQL reads a date. */
function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
