/** How long the database takes, and how its connections are used, for `/metrics`. */
import { Gauge, type Registry } from "prom-client";

import type { DatabaseObserver, PoolUse } from "../store/database.ts";
import { createHistograms } from "./plain-metrics.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** By what a statement concerns, which its name begins with: `queue_claim@…` is of the class `queue`. */
export function timeStatements(registry: Registry): (what: string, tookMs: number) => void {
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
export function exposePools(registry: Registry): NonNullable<DatabaseObserver["opened"]> {
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
