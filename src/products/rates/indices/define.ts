/** Defines an index with its basket's prices on the base date and its first value; deletes an index. */
import type { StoredIndex } from "../store/rate-indices.ts";
import {
  rateIndexList,
  rateIndexBasketPrices,
  rateIndexInsert,
  rateIndexRemove,
  rateIndexValueInsert,
} from "../store/rate-indices.sql.ts";
import { lockRateDay } from "../store/rate-lanes.ts";
import { utcDay } from "../../../model/instant.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";
import { laneColumns, laneText } from "../lanes/lane.ts";
import type { RatePorts } from "../lanes/load.ts";
import { exchangeText } from "../currencies/stored-exchange.ts";
import { basketText } from "./basket.ts";
import { INDICES_MAX, WEEK_MS, type IndexDefinition } from "./definition.ts";
import { exchangeOnBaseDate } from "./exchange.ts";

export type DefineResult =
  | { readonly kind: "defined"; readonly index: StoredIndex }
  /** `message` says what to change. */
  | { readonly kind: "refused"; readonly message: string };

/** Lanes without a rate that a message names. */
const LANES_NAMED_MAX = 5;

export async function defineIndex(ports: RatePorts, definition: IndexDefinition): Promise<DefineResult> {
  const { database, productCells, clock } = ports;
  const cell = productCells.of("rates");
  const { lanes, exchangeSource: _, ...fields } = definition;
  const { baseDate, weekday } = fields;
  const columns = lanes.map(({ lane }) => laneColumns(lane));
  const prices = await rateIndexBasketPrices(database, cell, {
    lanes: columns,
    day: baseDate,
    carriedDays: 0,
  });
  return database.transaction(async (tx) => {
    const atMs = clock.nowMs();
    const day = await lockRateDay(tx, cell, utcDay(atMs));
    if ((await rateIndexList(tx, cell, INDICES_MAX)).length === INDICES_MAX) {
      return refused(`there are ${INDICES_MAX} indices already; remove one first`);
    }
    if (baseDate > day) return refused(`base_date must not be after today, ${day}`);
    const exchange = await exchangeOnBaseDate(tx, cell, definition);
    if (typeof exchange === "string") return refused(exchange);
    const basket = lanes.map((one, index) => ({ ...one, basePrice: BigInt(prices[index]?.total ?? "0") }));
    const without = basket.filter(({ basePrice }) => basePrice === 0n).map(({ lane }) => laneText(lane));
    if (without.length > 0) {
      const more = without.length > LANES_NAMED_MAX ? ` and ${without.length - LANES_NAMED_MAX} more` : "";
      return refused(
        `there is no rate on ${baseDate} of ${without.slice(0, LANES_NAMED_MAX).join(", ")}${more}; load it first, or take another base_date`,
      );
    }
    const index: StoredIndex = {
      ...fields,
      baseValue: fields.baseValue.toString(),
      basket: basketText(basket, fields.currency),
      nextAt: weekday === null ? null : new Date(firstDueMs(definition, weekday, atMs)),
      createdAt: new Date(atMs),
      exchangeRates: exchange === null ? null : exchangeText(exchange),
    };
    if ((await rateIndexInsert(tx, cell, index)).length === 0) {
      return refused(`there is an index ${index.id} already; remove it first, or take another id`);
    }
    await rateIndexValueInsert(tx, cell, {
      indexId: index.id,
      dated: baseDate,
      value: index.baseValue,
      coverage: 10_000,
      lanesCarried: 0,
      lanesMissing: 0,
      computedAt: index.createdAt,
      exchangeRates: index.exchangeRates,
    });
    return { kind: "defined", index };
  });
}

function refused(message: string): DefineResult {
  return { kind: "refused", message };
}

/** The first of its weekly times from `atMs` on, after the base date. */
export function firstDueMs(
  { hourUtc, baseDate }: Pick<IndexDefinition, "hourUtc" | "baseDate">,
  weekday: number,
  atMs: number,
): number {
  const today = Temporal.PlainDate.from(utcDay(atMs));
  const inDays = (weekday - today.dayOfWeek + 7) % 7;
  const dueMs = Date.parse(`${today.add({ days: inDays }).toString()}T00:00:00Z`) + hourUtc * HOUR_MS;
  return dueMs < atMs || utcDay(dueMs) <= baseDate ? dueMs + WEEK_MS : dueMs;
}

/** False: there is no such index. Its values go with it; waits for a value that a node is computing. */
export function deleteIndex({ database, productCells, clock }: RatePorts, id: string): Promise<boolean> {
  const cell = productCells.of("rates");
  return database.transaction(async (tx) => {
    await lockRateDay(tx, cell, utcDay(clock.nowMs()));
    return (await rateIndexRemove(tx, cell, id)).length > 0;
  });
}
