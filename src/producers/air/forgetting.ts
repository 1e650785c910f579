/** Forgets what airlines pushed long ago, every hour, whether or not anything is pushed. */
import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { pruneAirMessages } from "../../store/air-messages.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";

export type ForgettingPorts = {
  readonly database: Connection;
  /** Where they are kept. */
  readonly cell: Cell;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long a text is kept: longer than any waybill is tracked. */
const KEPT_MS = 90 * 86_400_000;
const EVERY_MS = 3_600_000;
/** Statements of one turn, each of a bounded number of rows; what is left goes with the next. */
const STATEMENTS_MAX = 200;

/** The first turn is an hour from now; any number of nodes may do it at once. Returns how to stop it. */
export function startForgetting({ database, cell, clock, log }: ForgettingPorts): () => void {
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  const turn = async (): Promise<void> => {
    const beforeMs = clock.nowMs() - KEPT_MS;
    try {
      for (let count = 0; count < STATEMENTS_MAX && !isStopped; count += 1) {
        if (!(await pruneAirMessages(database, cell, beforeMs))) break;
      }
    } catch (error) {
      log.warn({ error }, "what airlines pushed long ago is forgotten an hour later");
    }
    if (!isStopped) wait();
  };
  const wait = (): void => {
    cancel = clock.after(EVERY_MS, () => void turn());
  };
  wait();
  return () => {
    isStopped = true;
    cancel();
  };
}
