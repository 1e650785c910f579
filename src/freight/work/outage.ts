/** Logs once that work waits for the database, and once that it goes on, however many statements fail in between. */
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

export type OutageLog = {
  /** A statement failed: by an outage or by our own fault. */
  began(error: unknown): void;
  /** A statement succeeded. */
  ended(): void;
};

/** `loop` names the work in the log. */
export function createOutageLog(loop: string, log: Log, clock: Pick<Clock, "monotonicMs">): OutageLog {
  let sinceMs: number | null = null;
  return {
    began(error) {
      // Our own fault shows every time.
      if (!(error instanceof StoreUnavailable)) return log.error({ err: error, loop }, "work failed");
      if (sinceMs !== null) return;
      sinceMs = clock.monotonicMs();
      log.warn({ loop, cause: error }, "work waits for the database");
    },
    ended() {
      if (sinceMs === null) return;
      const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1_000);
      sinceMs = null;
      log.info({ loop, seconds }, "work goes on: the database answers again");
    },
  };
}
