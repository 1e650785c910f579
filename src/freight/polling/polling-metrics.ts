/** Polling in `/metrics`: outcomes of polls, the longest wait, and carriers that are down. */
import { Counter, Gauge, type Registry } from "prom-client";

import type { PollOutcome } from "./poll-handler.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import { sideBySide } from "../../runtime/side-by-side.ts";
import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { pollBacklog } from "./store/polls.sql.ts";

/** The longest that metrics wait for the database. */
const ANSWER_MS_MAX = 1_000;
/** Cells that are asked at the same time, so that connections are left. */
const CELLS_MAX = 4;

export type PollingMetricsPorts = Pick<NodeContext, "database" | "clock"> & {
  readonly cells: readonly Cell[];
  readonly registry: Registry;
};

/**
 * Called for every poll that ended. `postponed`: its carrier was not asked. `overtaken`: another claim took over.
 * `broken`: a bug.
 */
export type OnPoll = (source: string, outcome: PollOutcome | "postponed" | "overtaken" | "broken") => void;

/** A source queue of a product's poller. */
export type WatchedSource = {
  readonly source: string;
  /** The label `carrier` of its shipments. */
  readonly carrier: string;
  /** Null without a carrier to ask. */
  readonly isBreakerOpen: (() => boolean) | null;
};

/** Watches the sources of one product; returns the listener for its poller. */
export type WatchPolling = (sources: readonly WatchedSource[]) => OnPoll;

export type PollingMetrics = {
  readonly watch: WatchPolling;
  /** All watched sources. */
  sources(): readonly string[];
};

export function createPollingMetrics(ports: PollingMetricsPorts): PollingMetrics {
  const { registry } = ports;
  const watched: WatchedSource[] = [];
  const polls = new Counter({
    name: "boathook_polls_total",
    help: "Polls of shipments that ended, by carrier and outcome.",
    labelNames: ["carrier", "outcome"],
    registers: [registry],
  });
  new Gauge({
    name: "boathook_carrier_breaker_open",
    help: "1 while this process asks the carrier nothing because it is down.",
    labelNames: ["carrier"],
    aggregator: "max",
    registers: [registry],
    collect() {
      for (const { carrier, isBreakerOpen } of watched) {
        if (isBreakerOpen !== null) this.set({ carrier }, isBreakerOpen() ? 1 : 0);
      }
    },
  });
  watchBacklog(ports, watched);
  return {
    watch(sources) {
      watched.push(...sources);
      const carriers = new Map(sources.map(({ source, carrier }) => [source, carrier]));
      return (source, outcome) => polls.inc({ carrier: carriers.get(source) ?? source, outcome });
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
    const nowMs = clock.nowMs();
    const sources = watched.map(({ source }) => source);
    const asked = await sideBySide(cells, CELLS_MAX, (cell) =>
      pollBacklog(database, cell, { sources, at: nowMs }),
    );
    reading = null;
    const answers = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    // No value instead of an old one: `boathook_cell_up` shows which cells are left out.
    seconds = new Map(answers.length === 0 ? [] : sources.map((source) => [source, 0]));
    for (const { carrier, dueSince } of answers.flat()) {
      const waited = (nowMs - dueSince.getTime()) / 1_000;
      seconds.set(carrier, Math.max(seconds.get(carrier) ?? 0, waited));
    }
  };

  new Gauge({
    name: "boathook_poll_backlog_seconds",
    help: "How long the shipment that waits longest for a poll has been due, by carrier.",
    labelNames: ["carrier"],
    aggregator: "max",
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
