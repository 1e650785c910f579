/** Says once that the database is away, and once that it is back, however often it is asked meanwhile. */
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

export type OutageLog = {
  /** A statement failed; true when that is news. */
  began(error: unknown): void;
  /** A statement succeeded. */
  ended(): void;
};

export function createOutageLog(log: Log, clock: Clock): OutageLog {
  let sinceMs: number | null = null;
  return {
    began(error) {
      if (sinceMs !== null) return;
      sinceMs = clock.monotonicMs();
      log.error({ reason: reasonOf(error) }, "polling waits: the database does not answer");
    },
    ended() {
      if (sinceMs === null) return;
      const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1_000);
      sinceMs = null;
      log.info({ seconds }, "polling goes on: the database answers again");
    },
  };
}

/** The messages from the outside in, without stacks: an outage is no fault of the code's. */
function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let one = error; one instanceof Error && messages.length < 4; one = one.cause)
    messages.push(one.message);
  return messages.join(": ");
}
