/**
 * Computes indices, and raises `index_refreshed` (spec 6.2: index_refreshed). One transaction stores a value and its
 * event, and a date has one value: nodes, restarts and clocks cannot raise the event of an index and date twice.
 */
import { utcDay } from "../../../model/instant.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cells } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import {
  addIndexValue,
  advanceIndex,
  readBasketPrices,
  readDueIndex,
  getIndex,
  listIndexValues,
  type StoredIndex,
  type StoredIndexValue,
} from "../store/rate-indices.ts";
import { lockRateDay } from "../store/rate-lanes.ts";
import type { RatePorts } from "../lanes/load.ts";
import { laneColumns } from "../lanes/lane.ts";
import { basketOf } from "./basket.ts";
import { WEEK_MS } from "./definition.ts";
import { indexValue, VALUE_MAX } from "./value.ts";
import { pointsText, indexValueView, type IndexValueView, VALUES_FOR_CHANGES } from "./view.ts";

/** A lane whose last rate has ended counts with that rate for this long. */
export const CARRIED_DAYS_MAX = 28;

export type ComputeResult =
  | { readonly kind: "computed"; readonly value: IndexValueView }
  /** The date has a value, which does not change. */
  | { readonly kind: "exists"; readonly value: IndexValueView }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "missing" };

/** On demand, for a day (`YYYY-MM-DD`) or for today, but not before the day of the last value. */
export function computeIndex(
  ports: RatePorts,
  id: string,
  dayOrToday: string | null,
): Promise<ComputeResult> {
  const { database, cells, clock, random } = ports;
  return database.transaction(async (tx) => {
    const atMs = clock.nowMs();
    const today = await lockRateDay(tx, cells[0], utcDay(atMs));
    const index = await getIndex(tx, cells[0], id);
    if (index === null) return { kind: "missing" };
    const day = dayOrToday ?? today;
    if (day > today) return { kind: "refused", message: `${day} is yet to come` };
    const last = await lastValueDay(tx, cells, id);
    if (day < last) {
      return { kind: "refused", message: `there is a value of ${last} already, and values come in order` };
    }
    return computeValue(tx, cells, random, index, day, atMs);
  });
}

async function lastValueDay(tx: Connection, cells: Cells, id: string): Promise<string> {
  const [last] = await listIndexValues(tx, cells[0], id, null, 1);
  return last!.dated;
}

/** Computes every due index for each missed week, oldest first. Returns the number of values. */
export async function computeDueIndices(ports: RatePorts, log: Log): Promise<number> {
  const { database, cells, clock, random } = ports;
  let computed = 0;
  for (;;) {
    const atMs = clock.nowMs();
    // Most runs end here, and lock nothing.
    if ((await readDueIndex(database, cells[0], atMs)) === null) return computed;
    computed += await database.transaction(async (tx) => {
      await lockRateDay(tx, cells[0], utcDay(atMs));
      const index = await readDueIndex(tx, cells[0], atMs);
      if (index === null || index.nextAt === null) return 0;
      const dueMs = index.nextAt.getTime();
      const day = utcDay(dueMs);
      await advanceIndex(tx, cells[0], index.id, dueMs + WEEK_MS);
      // An operator has computed a later value on demand.
      if (day < (await lastValueDay(tx, cells, index.id))) return 0;
      const result = await computeValue(tx, cells, random, index, day, atMs);
      if (result.kind === "refused") {
        log.warn({ index: index.id, day }, `an index has no value: ${result.message}`);
      }
      return result.kind === "computed" ? 1 : 0;
    });
  }
}

async function computeValue(
  tx: Connection,
  cells: Cells,
  random: Random,
  index: StoredIndex,
  day: string,
  atMs: number,
): Promise<Exclude<ComputeResult, { kind: "missing" }>> {
  const basket = basketOf(index);
  const columns = basket.map(({ lane }) => laneColumns(lane));
  const prices = await readBasketPrices(tx, cells[0], columns, day, CARRIED_DAYS_MAX);
  const priced = basket.map((lane, at) => {
    const total = prices[at]?.total ?? null;
    return { ...lane, price: total === null ? null : BigInt(total) };
  });
  const before = await listIndexValues(tx, cells[0], index.id, day, VALUES_FOR_CHANGES);
  if (before[0]?.dated === day) return { kind: "exists", value: indexValueView(before[0], before.slice(1)) };
  const { value, coverage } = indexValue(BigInt(index.baseValue), priced);
  if (value === null) {
    return {
      kind: "refused",
      message: `on ${day} lanes worth less than half of the basket have a rate, or had one in the ${CARRIED_DAYS_MAX} days before`,
    };
  }
  if (value > VALUE_MAX) {
    return { kind: "refused", message: `on ${day} it would be above ${pointsText(VALUE_MAX)}` };
  }
  const stored: StoredIndexValue = {
    dated: day,
    value: value.toString(),
    coverage: Number(coverage),
    lanesCarried: prices.filter(({ carried }) => carried).length,
    lanesMissing: prices.filter(({ total }) => total === null).length,
    computedAt: new Date(atMs),
  };
  await addIndexValue(tx, cells[0], index.id, stored);
  const shown = indexValueView(stored, before);
  await broadcastIndexValue(tx, cells, random, index, shown, atMs);
  return { kind: "computed", value: shown };
}

const EVENT = { product: "rates", type: "index_refreshed" } as const;

async function broadcastIndexValue(
  tx: Connection,
  cells: Cells,
  random: Random,
  index: StoredIndex,
  { computed_at: _, ...shown }: IndexValueView,
  atMs: number,
): Promise<void> {
  const { id, name, currency, createdAt } = index;
  const data = { index_id: id, name, currency, ...shown, lanes: basketOf(index).length };
  const broadcast = {
    ...EVENT,
    id: random.uuid(atMs),
    data: JSON.stringify(data),
    occurredAtMs: atMs,
    // An index that is removed and defined again raises its events again.
    dedupKey: `${EVENT.type}:${id}:${createdAt.getTime()}:${shown.dated}`,
  };
  await addBroadcasts(tx, cells, [broadcast], atMs);
}
