/** What waits in the queue, for `/metrics`, counted in the database: the same on every node. */
import { Gauge, type Registry } from "prom-client";

import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { countQueue, type QueueCount } from "../store/deliveries/queue.ts";

/** Counting reads the whole queue, so a sooner scrape gets the last count. */
const COUNT_INTERVAL_MS = 15_000;
/** About a fifth of a second's work; beyond it the numbers are too low. */
const ROWS_PER_CELL_MAX = 500_000;
/** A scrape does not wait longer for the database. */
const COUNT_MS_MAX = 1_000;

const STATES = ["waiting", "due", "claimed", "parked"] as const;

export function exposeQueueMetrics(
  registry: Registry,
  database: Database,
  cells: readonly Cell[],
  clock: Clock,
  /** False: another process of this service counts. */
  isCounting: () => boolean = () => true,
): void {
  let counts: readonly QueueCount[] = [];
  let countedMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | null = null;

  async function count(): Promise<void> {
    try {
      const found: QueueCount[] = [];
      for (const cell of cells) {
        found.push(...(await countQueue(database, cell, clock.nowMs(), ROWS_PER_CELL_MAX)));
      }
      counts = found;
    } catch {
      // Nothing rather than what was: `/readyz` says what is wrong.
      counts = [];
    } finally {
      countedMs = clock.monotonicMs();
      counting = null;
    }
  }

  new Gauge({
    name: "boathook_queue_deliveries",
    help: "Deliveries in the queue: waiting for their time, due, claimed by a node, parked behind an inactive endpoint.",
    labelNames: ["product", "state"],
    aggregator: "max",
    registers: [registry],
    async collect() {
      if (!isCounting()) return this.reset();
      if (clock.monotonicMs() - countedMs >= COUNT_INTERVAL_MS) {
        counting ??= count();
        await waitAtMost(clock, COUNT_MS_MAX, counting);
      }
      this.reset();
      for (const one of counts) {
        for (const state of STATES) this.inc({ product: one.product, state }, one[state]);
      }
    },
  });
}
