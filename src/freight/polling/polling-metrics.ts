/** How polling gets on, for `/metrics`: what looks came to, what waits too long, which carriers are down. */
import { Counter, Gauge, type Registry } from "prom-client";

import type { OnPoll } from "./poller.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { readPollBacklog } from "./store/polls.ts";

/** Metrics are not kept waiting for a database that does not answer. */
const ANSWER_MS_MAX = 1_000;

export type PollingMetricsPorts = Pick<NodeContext, "database" | "clock"> & {
  readonly cells: readonly Cell[];
  readonly registry: Registry;
};

/** A lane of some product's poller. */
export type WatchedSource = {
  readonly source: string;
  /** What `carrier` says of its shipments. */
  readonly carrier: string;
  /** Null where nobody in particular is asked. */
  readonly isBreakerOpen: (() => boolean) | null;
};

/** Watches the lanes of one product; returns what is to be told of every look of its poller that ended. */
export type WatchPolling = (lanes: readonly WatchedSource[]) => OnPoll;

export type PollingMetrics = {
  readonly watch: WatchPolling;
  /** All that are watched. */
  sources(): readonly string[];
};

export function createPollingMetrics(ports: PollingMetricsPorts): PollingMetrics {
  const { registry } = ports;
  const watched: WatchedSource[] = [];
  const looks = new Counter({
    name: "boathook_polls_total",
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
      for (const { carrier, isBreakerOpen } of watched) {
        if (isBreakerOpen !== null) this.set({ carrier }, isBreakerOpen() ? 1 : 0);
      }
    },
  });
  watchBacklog(ports, watched);
  return {
    watch(lanes) {
      watched.push(...lanes);
      const names = new Map(lanes.map(({ source, carrier }) => [source, carrier]));
      return (lane, outcome) => looks.inc({ carrier: names.get(lane) ?? lane, outcome });
    },
    sources: () => watched.map(({ source }) => source),
  };
}

function watchBacklog(
  { registry, database, cells, clock }: PollingMetricsPorts,
  watched: readonly WatchedSource[],
): void {
  let seconds = new Map<string, number>();
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    try {
      const nowMs = clock.nowMs();
      const lanes = watched.map(({ source }) => source);
      const found = new Map(lanes.map((lane) => [lane, 0]));
      for (const cell of cells) {
        for (const { carrier, dueSince } of await readPollBacklog(database, cell, lanes, nowMs)) {
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
      await waitAtMost(clock, ANSWER_MS_MAX, reading);
      this.reset();
      for (const { source, carrier } of watched) {
        const waited = seconds.get(source);
        if (waited !== undefined) this.set({ carrier }, waited);
      }
    },
  });
}
