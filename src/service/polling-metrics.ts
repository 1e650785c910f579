/** How polling gets on, for `/metrics`: what looks came to, what waits too long, which carriers are down. */
import { Counter, Gauge, type Registry } from "prom-client";

import type { LookTold } from "../producers/polling/poller.ts";
import { within } from "../runtime/closing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { readBacklog } from "../store/polls.ts";

/** Metrics are not kept waiting for a database that does not answer. */
const ANSWER_MS_MAX = 1_000;

/** What `carrier` says of shipments whose carrier is not known yet. */
const NOT_KNOWN_YET = "unknown";

export type PollingMetricsPorts = {
  readonly registry: Registry;
  readonly database: Database;
  readonly cells: readonly Cell[];
  readonly clock: Clock;
  /** SCACs. */
  readonly carriers: readonly string[];
  readonly isOpen: (scac: string) => boolean;
};

/** Returns what is to be told of every look that ended. */
export function watchPolling(ports: PollingMetricsPorts): LookTold {
  const { registry, carriers, isOpen } = ports;
  const looks = new Counter({
    name: "boathook_looks_total",
    help: "Looks at shipments that ended, by carrier and what they came to.",
    labelNames: ["carrier", "outcome"],
    registers: [registry],
  });
  new Gauge({
    name: "boathook_carrier_breaker_open",
    help: "1 while this process asks the carrier nothing because it is down.",
    labelNames: ["carrier"],
    registers: [registry],
    collect() {
      for (const carrier of carriers) this.set({ carrier }, isOpen(carrier) ? 1 : 0);
    },
  });
  watchBacklog(ports);
  return (carrier, outcome) => looks.inc({ carrier: carrier === "" ? NOT_KNOWN_YET : carrier, outcome });
}

function watchBacklog({ registry, database, cells, clock, carriers }: PollingMetricsPorts): void {
  const lanes = ["", ...carriers];
  let seconds = new Map<string, number>();
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    try {
      const nowMs = clock.nowMs();
      const found = new Map(lanes.map((carrier) => [carrier, 0]));
      for (const cell of cells) {
        for (const { carrier, dueSince } of await readBacklog(database, cell, lanes, nowMs)) {
          const waited = (nowMs - dueSince.getTime()) / 1_000;
          found.set(carrier, Math.max(found.get(carrier) ?? 0, waited));
        }
      }
      seconds = found;
    } catch {
      // Nothing rather than what was: `/readyz` says what is wrong.
      seconds = new Map();
    } finally {
      reading = null;
    }
  };

  new Gauge({
    name: "boathook_poll_backlog_seconds",
    help: "For how long the shipment has been due that waits longest for a look, by carrier.",
    labelNames: ["carrier"],
    registers: [registry],
    async collect() {
      reading ??= read();
      await within(clock, ANSWER_MS_MAX, reading);
      this.reset();
      for (const [carrier, waited] of seconds) {
        this.set({ carrier: carrier === "" ? NOT_KNOWN_YET : carrier }, waited);
      }
    },
  });
}
