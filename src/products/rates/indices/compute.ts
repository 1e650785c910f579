/**
 * Computes indices, and raises `index_refreshed` (spec 6.2: index_refreshed). One transaction stores a value and its
 * event, and a date has one value: nodes, restarts and clocks cannot raise the event of an index and date twice.
 */
import { utcDay } from "../../../model/instant.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts, type Broadcast } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { BasketPrice, StoredIndex, StoredIndexValue } from "../store/rate-indices.ts";
import {
  rateIndexAdvance,
  rateIndexDue,
  rateIndexGet,
  rateIndexValueList,
  rateIndexBasketPrices,
  rateIndexValueInsert,
} from "../store/rate-indices.sql.ts";
import { lockRateDay } from "../store/rate-lanes.ts";
import type { RatePorts } from "../lanes/load.ts";
import { laneColumns } from "../lanes/lane.ts";
import { exchangeText } from "../currencies/stored-exchange.ts";
import { basketOf } from "./basket.ts";
import { WEEK_MS } from "./definition.ts";
import { exchangeOfIndex, noExchangeRate, type IndexExchange } from "./exchange.ts";
import { indexValue, VALUE_MAX, type PricedLane } from "./value.ts";
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
export async function computeIndex(
  ports: RatePorts,
  id: string,
  dayOrToday: string | null,
): Promise<ComputeResult> {
  const { database, clock } = ports;
  const cell = ports.productCells.of("rates");
  const atMs = clock.nowMs();
  const today = await lockRateDay(database, cell, utcDay(atMs));
  const index = await rateIndexGet(database, cell, id);
  if (index === null) return { kind: "missing" };
  const day = dayOrToday ?? today;
  if (day > today) return { kind: "refused", message: `${day} is yet to come` };
  const prices = await pricesOf(ports, index, day);
  return database.transaction(async (tx) => {
    await lockRateDay(tx, cell, today);
    if ((await rateIndexGet(tx, cell, id))?.createdAt.getTime() !== index.createdAt.getTime())
      return { kind: "missing" };
    const last = await lastValueDay(tx, cell, id);
    if (day < last) {
      return { kind: "refused", message: `there is a value of ${last} already, and values come in order` };
    }
    return computeValue(tx, ports, index, day, prices, atMs);
  });
}

async function lastValueDay(tx: Connection, cell: Cell, id: string): Promise<string> {
  const [last] = await rateIndexValueList(tx, cell, { indexId: id, upTo: null, limit: 1 });
  return last!.dated;
}

/** Of the basket's lanes; read before the transaction, which holds the day's lock. */
function pricesOf({ database, productCells }: RatePorts, index: StoredIndex, day: string) {
  const columns = basketOf(index).map(({ lane }) => laneColumns(lane));
  return rateIndexBasketPrices(database, productCells.of("rates"), {
    lanes: columns,
    day,
    carriedDays: CARRIED_DAYS_MAX,
  });
}

/** Computes every due index for each missed week, oldest first. Returns the number of values. */
export async function computeDueIndices(ports: RatePorts, log: Log): Promise<number> {
  const { database, clock } = ports;
  const cell = ports.productCells.of("rates");
  let computed = 0;
  for (;;) {
    const atMs = clock.nowMs();
    // Most runs end here, and lock nothing.
    const due = await rateIndexDue(database, cell, atMs);
    if (due === null || due.nextAt === null) return computed;
    const dueMs = due.nextAt.getTime();
    const day = utcDay(dueMs);
    const prices = await pricesOf(ports, due, day);
    computed += await database.transaction(async (tx) => {
      await lockRateDay(tx, cell, utcDay(atMs));
      const index = await rateIndexDue(tx, cell, atMs);
      // Another node was first, or the index was removed.
      if (index === null || !isSameRun(index, due)) return 0;
      await rateIndexAdvance(tx, cell, { id: index.id, nextAt: dueMs + WEEK_MS });
      // An operator has computed a later value on demand.
      if (day < (await lastValueDay(tx, cell, index.id))) return 0;
      const result = await computeValue(tx, ports, index, day, prices, atMs);
      if (result.kind === "refused") {
        log.warn({ index: index.id, day }, `an index has no value: ${result.message}`);
      }
      return result.kind === "computed" ? 1 : 0;
    });
  }
}

function isSameRun(one: StoredIndex, other: StoredIndex): boolean {
  return (
    one.id === other.id &&
    one.createdAt.getTime() === other.createdAt.getTime() &&
    one.nextAt?.getTime() === other.nextAt?.getTime()
  );
}

async function computeValue(
  tx: Connection,
  { cells, productCells, random }: RatePorts,
  index: StoredIndex,
  day: string,
  prices: readonly BasketPrice[],
  atMs: number,
): Promise<Exclude<ComputeResult, { kind: "missing" }>> {
  const cell = productCells.of("rates");
  const before = await rateIndexValueList(tx, cell, {
    indexId: index.id,
    upTo: day,
    limit: VALUES_FOR_CHANGES,
  });
  if (before[0]?.dated === day) return { kind: "exists", value: indexValueView(before[0], before.slice(1)) };
  const exchange = await exchangeOfIndex(tx, cell, index, day);
  const priced = pricedLanes(index, prices, exchange);
  const { value, coverage } = indexValue(BigInt(index.baseValue), priced);
  if (value === null) return { kind: "refused", message: tooFewPrices(index, day, exchange) };
  if (value > VALUE_MAX) {
    return { kind: "refused", message: `on ${day} it would be above ${pointsText(VALUE_MAX)}` };
  }
  const stored: StoredIndexValue = {
    dated: day,
    value: value.toString(),
    coverage: Number(coverage),
    lanesCarried: prices.filter(({ carried }, at) => carried && priced[at]?.price !== null).length,
    lanesMissing: priced.filter(({ price }) => price === null).length,
    computedAt: new Date(atMs),
    exchangeRates: exchange === null ? null : exchangeText(exchange.onDay),
  };
  await rateIndexValueInsert(tx, cell, { ...stored, indexId: index.id });
  const shown = indexValueView(stored, before);
  await addBroadcasts(tx, cell, cells, [broadcastOf(random, index, shown, atMs)], atMs);
  return { kind: "computed", value: shown };
}

/** A lane whose price cannot be converted on the day has none. */
function pricedLanes(
  index: StoredIndex,
  prices: readonly BasketPrice[],
  exchange: IndexExchange | null,
): readonly PricedLane[] {
  return basketOf(index).map(({ lane: { currency }, weight, basePrice }, at) => {
    const total = prices[at]?.total ?? null;
    const own = { weight, basePrice, price: total === null ? null : BigInt(total) };
    if (exchange === null || currency === index.currency) return own;
    const onBaseDate = exchange.onBaseDate.factors.get(currency)!;
    const onDay = exchange.onDay.factors.get(currency);
    return onDay === undefined
      ? { ...own, price: null, exchange: { onBaseDate, onDay: onBaseDate } }
      : { ...own, exchange: { onBaseDate, onDay } };
  });
}

function tooFewPrices({ currency }: StoredIndex, day: string, exchange: IndexExchange | null): string {
  const rates = `on ${day} lanes worth less than half of the basket have a rate, or had one in the ${CARRIED_DAYS_MAX} days before`;
  const isConverted = exchange === null || exchange.onDay.missing.length === 0;
  return isConverted ? rates : `${rates}; ${noExchangeRate(exchange.onDay, currency, day)}`;
}

const EVENT = { product: "rates", type: "index_refreshed" } as const;

function broadcastOf(
  random: Random,
  index: StoredIndex,
  { computed_at: _, ...shown }: IndexValueView,
  atMs: number,
): Broadcast {
  const { id, name, currency, createdAt } = index;
  const data = { index_id: id, name, currency, ...shown, lanes: basketOf(index).length };
  return {
    ...EVENT,
    id: random.uuid(atMs),
    data: JSON.stringify(data),
    occurredAtMs: atMs,
    // An index that is removed and defined again raises its events again.
    dedupKey: `${EVENT.type}:${id}:${createdAt.getTime()}:${shown.dated}`,
  };
}
