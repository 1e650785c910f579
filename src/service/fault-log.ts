/**
 * The log of a database's faults: one line when a server begins to fail of a class, each minute that it goes on, and
 * when it is over. All else that is logged because of them says the same and is for debugging.
 */
import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../runtime/durations.ts";
import type { Log } from "../runtime/log.ts";

type Faults = {
  readonly server: string;
  readonly fault: StoreFault;
  /** Since the last line. */
  errors: number;
  beganMs: number;
  loggedMs: number;
  lastMs: number;
};

const LOG_INTERVAL_MS = MINUTE_MS;

/** A server that did something, and of a class failed nothing in this time, has recovered from it. */
const OVER_MS = 15 * SECOND_MS;

export function logFaults(clock: Clock, log: Log) {
  // By class and server.
  const open = new Map<string, Faults>();
  return {
    failed(what: string, fault: StoreFault, cause: unknown, server: string): void {
      const nowMs = clock.monotonicMs();
      const key = `${fault} ${server}`;
      let one = open.get(key);
      if (one === undefined) {
        one = { server, fault, errors: 0, beganMs: nowMs, loggedMs: Number.NEGATIVE_INFINITY, lastMs: nowMs };
        open.set(key, one);
      }
      one.errors += 1;
      one.lastMs = nowMs;
      if (nowMs - one.loggedMs < LOG_INTERVAL_MS) return;
      const message = cause instanceof Error ? cause.message : String(cause);
      const fields = { class: fault, server, errors: one.errors, statement: what, cause: message };
      log.warn(fields, STORE_FAULTS[fault]);
      Object.assign(one, { errors: 0, loggedMs: nowMs });
    },
    done(server: string): void {
      if (open.size === 0) return;
      const nowMs = clock.monotonicMs();
      for (const [key, one] of open) {
        if (one.server !== server || nowMs - one.lastMs < OVER_MS) continue;
        open.delete(key);
        const seconds = Math.round((one.lastMs - one.beganMs) / SECOND_MS);
        log.info({ class: one.fault, server, seconds }, "the database works again");
      }
    },
  };
}

/** Faults that callers report themselves: the database does its work. */
const OF_CALLERS: ReadonlySet<StoreFault> = new Set(["contention", "overloaded", "account_closed"]);

/** The log of everybody else. */
export function withoutFaults(log: Log): Log {
  const isKnown = (fields: object): boolean =>
    Object.values(fields).some((one) => one instanceof StoreUnavailable && !OF_CALLERS.has(one.reason));
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log[isKnown(fields) ? "debug" : "warn"](fields, message),
    error: (fields, message) => log[isKnown(fields) ? "debug" : "error"](fields, message),
  };
}
