/** Indices and their values as they are shown, with the change against the last value and that of four weeks before. */
import type { StoredIndex, StoredIndexValue } from "../store/rate-indices.ts";
import { digitsOf } from "../currency.ts";
import { formatDecimal, PERCENT_DIGITS } from "../decimal.ts";
import type { Lane } from "../lanes/lane.ts";
import { basketOf } from "./basket.ts";
import { ON_DEMAND, WEEKDAYS, WEIGHT_DIGITS } from "./definition.ts";
import { daysBefore } from "./weekly-schedule.ts";
import { changeBetween } from "./value.ts";

const FOUR_WEEKS_DAYS = 28;

/** Where there is no value of the very day, one of the six days before it does. */
const FOUR_WEEKS_DAYS_MAX = 34;

/** Earlier values among which both that are compared with are, if there is one a day. */
export const VALUES_FOR_CHANGES = FOUR_WEEKS_DAYS_MAX + 1;

export type IndexComparisonView = {
  readonly dated: string;
  readonly value: string;
  readonly change: string;
  readonly change_percent: string | null;
};

export type IndexValueView = {
  readonly dated: string;
  readonly value: string;
  readonly previous: IndexComparisonView | null;
  readonly four_weeks_before: IndexComparisonView | null;
  readonly coverage_percent: string;
  readonly lanes_carried: number;
  readonly lanes_missing: number;
  readonly computed_at: string;
};

/** `before`: the values before it, the latest first. */
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
    computed_at: one.computedAt.toISOString(),
  };
}

/** Each with its changes; `values` the latest first, and only the first `count` of them. */
export function indexValueViews(
  values: readonly StoredIndexValue[],
  count: number,
): readonly IndexValueView[] {
  return values
    .slice(0, count)
    .map((one, index) => indexValueView(one, values.slice(index + 1, index + 1 + VALUES_FOR_CHANGES)));
}

function comparison(
  { value }: StoredIndexValue,
  before: StoredIndexValue | undefined,
): IndexComparisonView | null {
  if (before === undefined) return null;
  const { change, percent } = changeBetween(BigInt(before.value), BigInt(value));
  return {
    dated: before.dated,
    value: pointsText(BigInt(before.value)),
    change: pointsText(change),
    change_percent: percent === null ? null : formatDecimal(percent, PERCENT_DIGITS),
  };
}

export function pointsText(hundredths: bigint): string {
  return formatDecimal(hundredths, PERCENT_DIGITS);
}

export type IndexView = {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly base_date: string;
  readonly base_value: string;
  /** A day of the week, or `none`. */
  readonly day: string;
  readonly hour_utc: number;
  readonly next_at: string | null;
  readonly created_at: string;
};

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
  };
}

export type BasketLaneView = Omit<Lane, "currency"> & {
  readonly weight: string;
  readonly base_price: string;
};

export function basketView(index: StoredIndex): readonly BasketLaneView[] {
  const digits = digitsOf(index.currency);
  return basketOf(index).map(({ lane: { currency: _, ...lane }, weight, basePrice }) => ({
    ...lane,
    weight: formatDecimal(weight, WEIGHT_DIGITS),
    base_price: formatDecimal(basePrice, digits),
  }));
}
