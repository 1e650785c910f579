import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Cell } from "../../store/cell.ts";
import { addMissedEvents } from "../../store/endpoints/endpoints.ts";
import type { NodeContext } from "../../store/node-context.ts";

/**
 * Counts what was raised for inactive endpoints. A process that is killed forgets what it has counted since the last
 * write.
 *
 *      raised ─▶ counted ─▶ written, after MISSED_EVERY_MS
 *                   ▲──────────┘ the database cannot be reached
 *
 * A process that stops writes them for LAST_MS_MAX at most.
 */
export type MissedEvents = ReturnType<typeof createMissedEvents>;

const MISSED_EVERY_MS = 1_000;
/** Counts are worth no more of a drain: the database may hang, or another hold an endpoint's row. */
const LAST_MS_MAX = 2_000;
/** Of more endpoints nothing is counted until the next write. */
const ENDPOINTS_MAX = 50_000;

export function createMissedEvents({
  database,
  cell,
  clock,
  log,
  isOver,
}: Pick<NodeContext, "database" | "clock" | "log"> & {
  readonly cell: Cell;
  /** Nothing is written any more. */
  readonly isOver: () => boolean;
}) {
  const counts = new Map<string, number>();
  let isArmed = false;
  let latestWrite: Promise<void> = Promise.resolve();

  function add(endpointId: string, count: number): void {
    const known = counts.get(endpointId);
    if (known !== undefined || counts.size < ENDPOINTS_MAX) counts.set(endpointId, (known ?? 0) + count);
  }

  function arm(): void {
    if (isArmed || isOver() || counts.size === 0) return;
    isArmed = true;
    clock.after(MISSED_EVERY_MS, () => {
      isArmed = false;
      if (!isOver()) void write();
    });
  }

  function write(): Promise<void> {
    latestWrite = latestWrite.then(async () => {
      const missed = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
      counts.clear();
      if (missed.length === 0) return;
      try {
        await addMissedEvents(database, cell, missed);
      } catch (cause) {
        for (const [id, count] of missed) add(id, count);
        log.debug({ err: cause }, "what inactive endpoints have missed was not written yet");
        arm();
      }
    });
    return latestWrite;
  }

  return {
    /** By endpoint; what it says is committed. */
    add(missed: ReadonlyMap<string, number>): void {
      for (const [id, count] of missed) add(id, count);
      arm();
    },
    /** Writes them now, if the database takes them in a bounded time. */
    async writeLast(): Promise<void> {
      await waitAtMost(clock, LAST_MS_MAX, write());
    },
  };
}
