import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Cell } from "../../store/cell.ts";
import { endpointMiss } from "../../store/endpoints/endpoints.sql.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { createBatchWriter } from "../batch-writer.ts";
import { isCommitUnknown } from "../statement-failure.ts";

/**
 * Counts what was raised for inactive endpoints, once a second. A process that is killed forgets what it has counted
 * since the last write, one that stops writes it for LAST_MS_MAX at most.
 */
export type MissedEvents = ReturnType<typeof createMissedEvents>;

const MISSED_EVERY_MS = 1_000;
/** Counts are worth no more of a drain: the database may hang, or another hold an endpoint's row. */
const LAST_MS_MAX = 2_000;
/** Endpoints; more are not counted until the next write. */
const WAITING_MAX = 50_000;

type Missed = { readonly id: string; missed: number };

export function createMissedEvents(
  { database, clock, log }: Pick<NodeContext, "database" | "clock" | "log">,
  cell: Cell,
) {
  const notWritten = (cause: unknown): void =>
    log.debug({ err: cause }, "what inactive endpoints have missed was not written yet");
  const bounds = { batchMax: Number.POSITIVE_INFINITY, gatherMs: MISSED_EVERY_MS, waitingMax: WAITING_MAX };
  /** By endpoint, what gathers for the next write. */
  const gathered = new Map<string, Missed>();
  const counts = createBatchWriter<Missed>(bounds, clock, {
    async write(rows) {
      const sums = new Map<string, number>();
      for (const row of rows) {
        if (gathered.get(row.id) === row) gathered.delete(row.id);
        sums.set(row.id, (sums.get(row.id) ?? 0) + row.missed);
      }
      const sorted = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
      await endpointMiss(
        database,
        cell,
        sorted.map(([id, missed]) => ({ id, missed })),
      );
      return () => undefined;
    },
    onRefused: (_row, cause) => notWritten(cause),
    onAway(_rows, cause) {
      notWritten(cause);
      // Counted already, for all that is known: not twice.
      return isCommitUnknown(cause) ? null : MISSED_EVERY_MS;
    },
  });
  return {
    /** By endpoint; what it says is committed. */
    add(missed: ReadonlyMap<string, number>): void {
      for (const [id, count] of missed) {
        const known = gathered.get(id);
        if (known !== undefined) known.missed += count;
        else {
          const row = { id, missed: count };
          if (counts.add(row)) gathered.set(id, row);
        }
      }
    },
    /** Writes them now, if the database takes them in a bounded time. */
    async writeLast(): Promise<void> {
      await waitAtMost(clock, LAST_MS_MAX, counts.flush());
    },
    /** Writes nothing any more. */
    stop: counts.stop,
  };
}
