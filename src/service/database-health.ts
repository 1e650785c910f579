/**
 * How the database does by what came of the work it was given: counted by class, told in the log, and held against the
 * process's readiness while the database answers and yet refuses work, as with a full disk.
 *
 *     done ─failed(a refusal)─▶ refused ─done, or not tried again for a while─▶ done
 *
 * Each statement has a state of its own, for a success of another proves nothing: on a disk that is full a heartbeat
 * still finds room in its page, and an event does not.
 */
import { Counter, type Registry } from "prom-client";

import { STORE_FAULTS, type StoreFault } from "../model/errors.ts";
import { MINUTE_MS } from "../runtime/durations.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { DatabaseObserver } from "../store/database.ts";
import type { DatabaseFault } from "../store/faults.ts";

export type DatabaseHealth = {
  readonly watch: DatabaseObserver;
  /** Why the database refuses work that it was given lately, in plain words; null: it does not. */
  refusal(): string | null;
};

/** Faults of a database that answers. Whether one answers at all is told by asking it, and not by what was. */
const REFUSALS: ReadonlySet<DatabaseFault> = new Set([
  "too_many_connections",
  "disk_full",
  "out_of_resources",
  "file_error",
  "read_only",
  "access_denied",
]);

/**
 * A statement that was refused counts for so long when it is not tried again: three heartbeats. Where clients keep away
 * from a process that is not ready, nobody else would find out that there is room again.
 */
const REFUSAL_MS_MAX = 15_000;

/** The log has one line of a class in so long, however many statements fail. */
const LOG_INTERVAL_MS = MINUTE_MS;

export function watchDatabase(registry: Registry, clock: Clock, log: Log): DatabaseHealth {
  const count = countFaults(registry);
  const tell = logFaults(clock, log);
  const refused = new Map<string, { readonly reason: StoreFault; readonly atMs: number }>();

  return {
    watch: {
      done(what) {
        if (refused.size > 0) refused.delete(what);
      },
      failed(what, fault, cause) {
        count(fault);
        // Those tell of the statement and not of the database; whoever ran it tells of them.
        if (fault === "other" || fault === "contention") return;
        tell(what, fault, cause);
        if (!REFUSALS.has(fault)) return;
        // The last of the map is the latest.
        refused.delete(what);
        refused.set(what, { reason: fault, atMs: clock.monotonicMs() });
      },
    },
    refusal() {
      const latest = [...refused.values()].at(-1);
      if (latest === undefined || clock.monotonicMs() - latest.atMs >= REFUSAL_MS_MAX) return null;
      return STORE_FAULTS[latest.reason];
    },
  };
}

function countFaults(registry: Registry): (fault: DatabaseFault) => void {
  const errors = new Counter({
    name: "boathook_database_errors_total",
    help: "Statements and connections that the database failed or refused, by class.",
    labelNames: ["class"],
    registers: [registry],
  });
  // All classes from the start: a rate needs a value to begin at.
  // What waits for the database is refused before the database hears of it.
  const classes = Object.keys(STORE_FAULTS).filter((fault) => fault !== "overloaded");
  for (const fault of [...classes, "other"]) errors.inc({ class: fault }, 0);
  return (fault) => errors.inc({ class: fault });
}

function logFaults(clock: Clock, log: Log): (what: string, fault: StoreFault, cause: unknown) => void {
  const untold = new Map<StoreFault, { errors: number; atMs: number }>();
  return (what, fault, cause) => {
    const nowMs = clock.monotonicMs();
    const told = untold.get(fault) ?? { errors: 0, atMs: Number.NEGATIVE_INFINITY };
    untold.set(fault, told);
    told.errors += 1;
    if (nowMs - told.atMs < LOG_INTERVAL_MS) return;
    const message = cause instanceof Error ? cause.message : String(cause);
    log.warn({ class: fault, errors: told.errors, statement: what, cause: message }, STORE_FAULTS[fault]);
    told.errors = 0;
    told.atMs = nowMs;
  };
}
