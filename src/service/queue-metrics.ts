/** What waits in the cells, for `/metrics`, counted in the database: the same on every node. */
import { Gauge, type Registry } from "prom-client";

import { broadcastCount } from "../freight/broadcasts/store/broadcasts.sql.ts";
import { timeOfUuid } from "../model/uuid.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import { sideBySide } from "../runtime/side-by-side.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { queueCount } from "../store/deliveries/queue.sql.ts";
import { countEndpoints } from "../store/endpoints/endpoints.ts";

/** Counting reads the whole queue, so a sooner scrape gets the last count. */
const COUNT_INTERVAL_MS = 15_000;
/** About a fifth of a second's work; beyond it the numbers are too low. */
const ROWS_PER_CELL_MAX = 500_000;
/** A scrape does not wait longer for the database. */
const COUNT_MS_MAX = 1_000;

/** Cells that are counted at the same time, so that connections are left. */
const CELLS_MAX = 4;

const STATES = ["waiting", "due", "claimed", "parked"] as const;
const ENDPOINT_STATES = ["active", "failing", "disabled", "paused"] as const;

type Counted = Awaited<ReturnType<typeof countCell>>;

export type QueueMetricsPorts = {
  readonly registry: Registry;
  readonly database: Database;
  readonly cells: readonly Cell[];
  readonly clock: Clock;
  /** False: another process of this service counts. */
  readonly isCounting?: (() => boolean) | undefined;
};

async function countCell({ database }: QueueMetricsPorts, cell: Cell, atMs: number) {
  const queue = await queueCount(database, cell, { at: atMs, rowsMax: ROWS_PER_CELL_MAX });
  const endpoints = await countEndpoints(database, cell, ROWS_PER_CELL_MAX);
  return { queue, endpoints, broadcasts: await broadcastCount(database, cell, ROWS_PER_CELL_MAX) };
}

/** Calls `set` with the last count of all cells, at most `COUNT_INTERVAL_MS` old. */
function createCount(ports: QueueMetricsPorts) {
  const { cells, clock, isCounting = () => true } = ports;
  const counts = new Map<Cell, Counted>();
  let countedMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | null = null;

  async function count(): Promise<void> {
    await sideBySide(cells, CELLS_MAX, async (cell) => {
      try {
        counts.set(cell, await countCell(ports, cell, clock.nowMs()));
      } catch {
        // Nothing rather than what was: `boathook_cell_up` says which cell is ill.
        counts.delete(cell);
      }
    });
    countedMs = clock.monotonicMs();
    counting = null;
  }

  return async (): Promise<readonly Counted[]> => {
    if (!isCounting()) return [];
    if (clock.monotonicMs() - countedMs >= COUNT_INTERVAL_MS) {
      counting ??= count();
      await waitAtMost(clock, COUNT_MS_MAX, counting);
    }
    return [...counts.values()];
  };
}

export function exposeQueueMetrics(ports: QueueMetricsPorts): void {
  const counted = createCount(ports);
  const { registry, clock } = ports;
  const seconds = (since: number): number => Math.max(0, clock.nowMs() - since) / 1_000;
  const expose = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    set: (gauge: Gauge<Label>, all: readonly Counted[]) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      aggregator: "max",
      registers: [registry],
      async collect() {
        const all = await counted();
        this.reset();
        if (all.length > 0) set(this, all);
      },
    });
  const queues =
    "Deliveries in the queue: waiting for their time, due, claimed by a node, parked behind an inactive endpoint.";
  expose("boathook_queue_deliveries", queues, ["product", "state"], (gauge, all) => {
    for (const one of all.flatMap(({ queue }) => queue))
      for (const state of STATES) gauge.inc({ product: one.product, state }, one[state]);
  });
  const oldest = "How long the delivery that waits longest for an attempt has been due.";
  expose("boathook_queue_oldest_due_seconds", oldest, ["product"], (gauge, all) => {
    const since = new Map<string, number>();
    for (const { product, oldestDue } of all.flatMap(({ queue }) => queue))
      since.set(
        product,
        Math.min(
          since.get(product) ?? Number.POSITIVE_INFINITY,
          oldestDue?.getTime() ?? Number.POSITIVE_INFINITY,
        ),
      );
    for (const [product, ms] of since) gauge.set({ product }, Number.isFinite(ms) ? seconds(ms) : 0);
  });
  const endpoints =
    "Endpoints: active, active and failing, disabled after failures in a row, paused by their client.";
  expose("boathook_endpoints", endpoints, ["product", "state"], (gauge, all) => {
    for (const one of all.flatMap((each) => each.endpoints))
      for (const state of ENDPOINT_STATES) gauge.inc({ product: one.product, state }, one[state]);
  });
  expose("boathook_broadcasts", "Broadcasts that have not reached all their accounts.", [], (gauge, all) => {
    gauge.set(all.reduce((sum, { broadcasts }) => sum + broadcasts.count, 0));
  });
  const behind = "How long the oldest broadcast has not reached all its accounts.";
  expose("boathook_broadcasts_oldest_seconds", behind, [], (gauge, all) => {
    const ages = all.flatMap(({ broadcasts: { oldest: id } }) =>
      id === null ? [] : [seconds(timeOfUuid(id))],
    );
    gauge.set(Math.max(0, ...ages));
  });
}
