import type { Cell } from "../../store/cell.ts";
import { endpointTouch } from "../../store/endpoints/endpoints.sql.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";

/**
 * Writes `last_delivery_at` (spec 2.1: last_delivery_at) of endpoints that only succeed: once a second, not with every batch
 * of results.
 *
 *      success ─▶ unwritten ─▶ written, after LAST_SUCCESS_EVERY_MS
 */
export type LastSuccesses = ReturnType<typeof createLastSuccesses>;

export type LastSuccessPorts = Pick<NodeContext, "database" | "clock" | "log"> & {
  readonly cell: Cell;
};

/** How often an endpoint's last success is written while it goes on succeeding. */
export const LAST_SUCCESS_EVERY_MS = 1_000;

export function createLastSuccesses({ database, cell, clock, log }: LastSuccessPorts) {
  const unwritten = new Set<EndpointQueue>();
  let isArmed = false;
  let isStopped = false;
  let latestWrite: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    const queues = [...unwritten].toSorted((a, b) => (a.target.id < b.target.id ? -1 : 1));
    unwritten.clear();
    if (queues.length === 0) return latestWrite;
    for (const queue of queues) queue.lastWrittenAtMs = queue.lastDeliveredAtMs;
    const ids = queues.map((queue) => queue.target.id);
    const timesMs = queues.map((queue) => queue.lastDeliveredAtMs);
    latestWrite = latestWrite
      .then(() => endpointTouch(database, cell, { endpointIds: ids, deliveredAt: timesMs }))
      .catch((cause: unknown) =>
        log.warn({ err: cause }, "the times of the last successes were not written"),
      );
    return latestWrite;
  }

  return {
    /** Endpoint queues whose last success the database does not know yet. */
    unwritten,
    /** Writes them now. */
    write,
    /** Resolves when the latest write has ended. */
    written: (): Promise<void> => latestWrite,
    /** Starts the timer that writes them, unless it runs. */
    arm(): void {
      if (isArmed || unwritten.size === 0) return;
      isArmed = true;
      clock.after(LAST_SUCCESS_EVERY_MS, () => {
        isArmed = false;
        if (!isStopped) void write();
      });
    },
    /** Ends the timer's writes. */
    stop(): void {
      isStopped = true;
    },
  };
}
