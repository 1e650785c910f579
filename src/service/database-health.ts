/**
 * Watches the results of statements: counts faults by class, logs them, and makes the process not ready while the
 * database answers and yet refuses work, as with a full disk.
 *
 *     done ─failed(a refusal)─▶ refused ─done, or not tried again for a while─▶ done
 *
 * Each statement has a state of its own, since another's success proves nothing: on a full disk a heartbeat still finds
 * room in its page, and an event does not.
 */
import { Counter, type Registry, Gauge } from "prom-client";

import { STORE_FAULTS, type StoreFault } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Cell } from "../store/cell.ts";
import type { DatabaseObserver, PoolUse } from "../store/database.ts";
import type { DatabaseFault } from "../store/faults.ts";
import { logFaults } from "./fault-log.ts";
import { createHistograms } from "./plain-metrics.ts";

export type DatabaseHealth = {
  readonly watch: DatabaseObserver;
  /** Why the database lately refused a cell's statements, or new sessions, in plain words; null: it did not. */
  refusal(cell: Cell): string | null;
};

/** Faults of a database that answers. Whether it answers at all is for the readiness check. */
const REFUSALS: ReadonlySet<DatabaseFault> = new Set([
  "too_many_connections",
  "disk_full",
  "out_of_resources",
  "file_error",
  "read_only",
  "access_denied",
]);

/**
 * A refusal counts this long if the statement is not tried again: three heartbeats. Clients avoid a process that is not
 * ready, so nobody would find out that there is room again.
 */
const REFUSAL_MS_MAX = 15_000;

export function watchDatabase(registry: Registry, clock: Clock, log: Log): DatabaseHealth {
  const count = countFaults(registry);
  const report = logFaults(clock, log);
  const observe = timeStatements(registry);
  const opened = exposePools(registry);
  const refused = new Map<string, { readonly reason: StoreFault; readonly atMs: number }>();

  return {
    watch: {
      done(what, server = "", tookMs) {
        if (refused.size > 0) refused.delete(what);
        report.done(server);
        if (tookMs !== undefined) observe(what, tookMs);
      },
      opened,
      failed(what, fault, cause, server = "") {
        count(fault);
        // These are faults of the statement: its caller reports them.
        if (fault === "other" || fault === "contention") return;
        report.failed(what, fault, cause, server);
        if (!REFUSALS.has(fault)) return;
        // The last of the map is the latest.
        refused.delete(what);
        refused.set(what, { reason: fault, atMs: clock.monotonicMs() });
      },
    },
    refusal({ schema, directory }) {
      // Statements are named after their schema (`store/sql.ts`); a statement of another cell says nothing.
      const concerns = (what: string): boolean => {
        const [, of] = what.split(/[@ ]/);
        return !what.includes("@") || of === schema || of === directory;
      };
      const latest = [...refused].findLast(([what]) => concerns(what))?.[1];
      if (latest === undefined || clock.monotonicMs() - latest.atMs >= REFUSAL_MS_MAX) return null;
      return STORE_FAULTS[latest.reason];
    },
  };
}

const OURS: ReadonlySet<string> = new Set<StoreFault>(["overloaded", "account_closed", "no_open_cell"]);

function countFaults(registry: Registry): (fault: DatabaseFault) => void {
  const errors = new Counter({
    name: "boathook_database_errors_total",
    help: "Statements and connections that the database failed or refused, by class.",
    labelNames: ["class"],
    registers: [registry],
  });
  // All classes from the start: a rate needs a value to begin at. `OURS` are no answers of the database.
  const classes = Object.keys(STORE_FAULTS).filter((fault) => !OURS.has(fault));
  for (const fault of [...classes, "other"]) errors.inc({ class: fault }, 0);
  return (fault) => errors.inc({ class: fault });
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** By what a statement concerns, which its name begins with: `queue_claim@…` is of the class `queue`. */
function timeStatements(registry: Registry): (what: string, tookMs: number) => void {
  const classes = createHistograms(registry, {
    name: "boathook_database_statement_seconds",
    help: "From asking to the answer, with the wait for a connection, by what the statement concerns.",
    label: "class",
    buckets: SECONDS,
  });
  const known = new Map<string, ReturnType<typeof classes.of>>();
  return (what, tookMs) => {
    let histogram = known.get(what);
    if (histogram === undefined) {
      histogram = classes.of(/^[a-z]+/.exec(what)?.[0] ?? "other");
      known.set(what, histogram);
    }
    histogram.observe(tookMs / 1_000);
  };
}

/** Returns the listener for servers that are opened. */
function exposePools(registry: Registry): NonNullable<DatabaseObserver["opened"]> {
  const pools = new Map<string, () => PoolUse>();
  new Gauge({
    name: "boathook_database_connections",
    help: "Connections of the pools to the servers.",
    labelNames: ["server", "state"],
    registers: [registry],
    collect() {
      for (const [server, use] of pools) {
        const { busy, idle } = use();
        this.set({ server, state: "busy" }, busy);
        this.set({ server, state: "idle" }, idle);
      }
    },
  });
  new Gauge({
    name: "boathook_database_waiting",
    help: "Callers that wait for a connection to the server.",
    labelNames: ["server"],
    registers: [registry],
    collect() {
      for (const [server, use] of pools) this.set({ server }, use().waiting);
    },
  });
  new Gauge({
    name: "boathook_database_oldest_statement_seconds",
    help: "How long the oldest statement that runs has waited for its answer.",
    labelNames: ["server"],
    aggregator: "max",
    registers: [registry],
    collect() {
      for (const [server, use] of pools) this.set({ server }, use().oldestMs / 1_000);
    },
  });
  return (server, use) => void pools.set(server, use);
}
