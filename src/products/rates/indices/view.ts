/** Indices and their values, with the changes since the last value and since four weeks before. */
import type { Static } from "typebox";

import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { IndexComparison } from "../event-data.ts";
import type { BasketLaneSchema, IndexSchema, IndexValueSchema } from "../rate-schema.ts";
import { type StoredIndex, type StoredIndexValue } from "../store/rate-indices.ts";
import { rateIndexList, rateIndexValueListLatest } from "../store/rate-indices.sql.ts";
import { exchangeRateViews, missingCurrencies, storedSource } from "../currencies/stored-exchange.ts";
import { digitsOf } from "../currency.ts";
import { formatDecimal, PERCENT_DIGITS, percentBetween } from "../decimal.ts";
import { basketOf } from "./basket.ts";
import { INDICES_MAX, ON_DEMAND, WEEKDAYS, WEIGHT_DIGITS } from "./definition.ts";

const FOUR_WEEKS_DAYS = 28;

/** Without a value of that very day, one of the six days before it counts. */
const FOUR_WEEKS_DAYS_MAX = 34;

/** With a value a day, this many earlier ones include both. */
export const VALUES_FOR_CHANGES = FOUR_WEEKS_DAYS_MAX + 1;

export type IndexValueView = Static<typeof IndexValueSchema>;
export type ListedIndex = Static<typeof IndexSchema>;
export type IndexView = Omit<ListedIndex, "latest">;

/** `before`: the earlier values, latest first. */
export function indexValueView(one: StoredIndexValue, before: readonly StoredIndexValue[]): IndexValueView {
  const from = daysBefore(one.dated, FOUR_WEEKS_DAYS_MAX);
  const to = daysBefore(one.dated, FOUR_WEEKS_DAYS);
  return {
    dated: one.dated,
    value: pointsText(BigInt(one.value)),
    previous: comparison(one, before[0]),
    four_weeks_before: comparison(
      one,
      before.find(({ dated }) => dated >= from && dated <= to),
    ),
    coverage_percent: formatDecimal(BigInt(one.coverage), PERCENT_DIGITS),
    lanes_carried: one.lanesCarried,
    lanes_missing: one.lanesMissing,
    exchange_rates: [...exchangeRateViews(one.exchangeRates)],
    currencies_missing: [...missingCurrencies(one.exchangeRates)],
    computed_at: one.computedAt.toISOString(),
  };
}

export function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString();
}

/** The first `count` of `values`, latest first. */
export function indexValueViews(
  values: readonly StoredIndexValue[],
  count: number,
): readonly IndexValueView[] {
  return values
    .slice(0, count)
    .map((one, index) => indexValueView(one, values.slice(index + 1, index + 1 + VALUES_FOR_CHANGES)));
}

/** Between two published values, so that readers who recompute it get the same. */
function comparison(
  { value }: StoredIndexValue,
  before: StoredIndexValue | undefined,
): Static<typeof IndexComparison> | null {
  if (before === undefined) return null;
  const [from, to] = [BigInt(before.value), BigInt(value)];
  const percent = percentBetween(from, to);
  return {
    dated: before.dated,
    value: pointsText(from),
    change: pointsText(to - from),
    change_percent: percent === null ? null : formatDecimal(percent, PERCENT_DIGITS),
  };
}

export function pointsText(hundredths: bigint): string {
  return formatDecimal(hundredths, PERCENT_DIGITS);
}

export function indexView(index: StoredIndex): IndexView {
  const { id, name, currency, baseDate, baseValue, weekday, hourUtc, nextAt, createdAt } = index;
  return {
    id,
    name,
    currency,
    base_date: baseDate,
    base_value: pointsText(BigInt(baseValue)),
    day: weekday === null ? ON_DEMAND : WEEKDAYS[weekday - 1]!,
    hour_utc: hourUtc,
    next_at: nextAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    exchange_source: index.exchangeRates === null ? null : storedSource(index.exchangeRates).source,
    base_exchange_rates: [...exchangeRateViews(index.exchangeRates)],
  };
}

export function basketView(index: StoredIndex): readonly Static<typeof BasketLaneSchema>[] {
  return basketOf(index).map(({ lane, weight, basePrice }) => ({
    ...lane,
    weight: formatDecimal(weight, WEIGHT_DIGITS),
    base_price: formatDecimal(basePrice, digitsOf(lane.currency)),
  }));
}

/** The indices with their latest values, by id. */
export async function listIndicesWithLatest(
  connection: Connection,
  cell: Cell,
): Promise<readonly ListedIndex[]> {
  const indices = await rateIndexList(connection, cell, INDICES_MAX);
  const ids = indices.map(({ id }) => id);
  const values = await rateIndexValueListLatest(connection, cell, {
    indexIds: ids,
    limit: 1 + VALUES_FOR_CHANGES,
  });
  const valuesOf = Map.groupBy(values, ({ indexId }) => indexId);
  return indices.flatMap((index) => {
    const [latest, ...before] = valuesOf.get(index.id) ?? [];
    // An index that has just been deleted has none.
    return latest === undefined ? [] : [{ ...indexView(index), latest: indexValueView(latest, before) }];
  });
}
