/** Deletes old messages that airlines pushed, every hour, whether or not anything is pushed. */
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";
import { createInterval, repeat, type Interval } from "../../../runtime/interval.ts";
import { pruneAirMessages } from "../store/air-messages.ts";
import type { NodeContext } from "../../../store/node-context.ts";

/** Longer than any waybill is tracked. */
const RETENTION_MS = 90 * DAY_MS;
const PRUNE_INTERVAL_MS = HOUR_MS;
/** Statements of one round, each of a bounded number of rows. */
const STATEMENTS_MAX = 200;

/** The first round is an hour from now; any number of nodes may do it at once. */
export function createMessageRetention(
  ports: Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops">,
): Interval {
  const { database, cells, clock, log } = ports;
  const round = async (isStopped: () => boolean): Promise<void> => {
    const beforeMs = clock.nowMs() - RETENTION_MS;
    await repeat(STATEMENTS_MAX, isStopped, () => pruneAirMessages(database, cells[0], beforeMs));
  };
  const options = { name: "air messages", everyMs: PRUNE_INTERVAL_MS, firstAfterMs: PRUNE_INTERVAL_MS };
  return createInterval(ports, options, round, (error) =>
    log.warn({ error }, "old air messages are deleted an hour later"),
  );
}
