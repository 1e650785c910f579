/** What waits in the queue, for `/metrics`, counted in the database: the same on every node. */
import { Gauge, type Registry } from "prom-client";

import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import { sideBySide } from "../runtime/side-by-side.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { countQueue, type QueueCount } from "../store/deliveries/queue.ts";

/** Counting reads the whole queue, so a sooner scrape gets the last count. */
const COUNT_INTERVAL_MS = 15_000;
/** About a fifth of a second's work; beyond it the numbers are too low. */
const ROWS_PER_CELL_MAX = 500_000;
/** A scrape does not wait longer for the database. */
const COUNT_MS_MAX = 1_000;

/** Cells that are counted at the same time, so that connections are left. */
const CELLS_MAX = 4;

const STATES = ["waiting", "due", "claimed", "parked"] as const;

export function exposeQueueMetrics(
  registry: Registry,
  database: Database,
  cells: readonly Cell[],
  clock: Clock,
  /** False: another process of this service counts. */
  isCounting: () => boolean = () => true,
): void {
  const counts = new Map<Cell, readonly QueueCount[]>();
  let countedMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | null = null;

  async function count(): Promise<void> {
    await sideBySide(cells, CELLS_MAX, async (cell) => {
      try {
        counts.set(cell, await countQueue(database, cell, clock.nowMs(), ROWS_PER_CELL_MAX));
      } catch {
        // Nothing rather than what was: `boathook_cell_up` says which cell is ill.
        counts.delete(cell);
      }
    });
    countedMs = clock.monotonicMs();
    counting = null;
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
      for (const one of [...counts.values()].flat()) {
        for (const state of STATES) this.inc({ product: one.product, state }, one[state]);
      }
    },
  });
}
