/** Defines an index with its basket's prices on the base date and its first value; deletes an index. */
import {
  addIndex,
  addIndexValue,
  readBasketPrices,
  listIndices,
  removeIndex,
  type StoredIndex,
} from "../store/rate-indices.ts";
import { lockRateDay } from "../store/rate-lanes.ts";
import { utcDay } from "../../../model/instant.ts";
import { laneText } from "../lanes/lane.ts";
import type { RatePorts } from "../lanes/load.ts";
import { laneColumns } from "../lanes/stored-rate.ts";
import { basketText } from "./basket.ts";
import { INDICES_MAX, type IndexDefinition } from "./definition.ts";
import { firstDueMs } from "./weekly-schedule.ts";

export type DefineResult =
  | { readonly kind: "defined"; readonly index: StoredIndex }
  /** `message` says what to change. */
  | { readonly kind: "refused"; readonly message: string };

/** Lanes without a rate that a message names. */
const LANES_NAMED_MAX = 5;

export function defineIndex(ports: RatePorts, definition: IndexDefinition): Promise<DefineResult> {
  const { database, cells, clock } = ports;
  return database.transaction(async (tx) => {
    const atMs = clock.nowMs();
    const day = await lockRateDay(tx, cells[0], utcDay(atMs));
    const { lanes, currency, baseDate, weekday, hourUtc } = definition;
    if ((await listIndices(tx, cells[0], INDICES_MAX)).length === INDICES_MAX) {
      return refused(`there are ${INDICES_MAX} indices already; remove one first`);
    }
    if (baseDate > day) return refused(`base_date must not be after today, ${day}`);
    const prices = await readBasketPrices(
      tx,
      cells[0],
      lanes.map(({ lane }) => laneColumns(lane)),
      baseDate,
      0,
    );
    const basket = lanes.map((one, index) => ({ ...one, basePrice: BigInt(prices[index]?.total ?? "0") }));
    const without = basket.filter(({ basePrice }) => basePrice === 0n).map(({ lane }) => laneText(lane));
    if (without.length > 0) {
      const more = without.length > LANES_NAMED_MAX ? ` and ${without.length - LANES_NAMED_MAX} more` : "";
      return refused(
        `there is no rate on ${baseDate} of ${without.slice(0, LANES_NAMED_MAX).join(", ")}${more}; load it first, or take another base_date`,
      );
    }
    const index: StoredIndex = {
      id: definition.id,
      name: definition.name,
      currency,
      baseDate,
      baseValue: definition.baseValue.toString(),
      basket: basketText(basket),
      weekday,
      hourUtc,
      nextAt: weekday === null ? null : new Date(firstDueMs({ weekday, hourUtc, baseDate }, atMs)),
      createdAt: new Date(atMs),
    };
    if (!(await addIndex(tx, cells[0], index))) {
      return refused(`there is an index ${definition.id} already; remove it first, or take another id`);
    }
    await addIndexValue(tx, cells[0], index.id, {
      dated: baseDate,
      value: index.baseValue,
      coverage: 10_000,
      lanesCarried: 0,
      lanesMissing: 0,
      computedAt: index.createdAt,
    });
    return { kind: "defined", index };
  });
}

function refused(message: string): DefineResult {
  return { kind: "refused", message };
}

/** False: there is no such index. Its values go with it; waits for a value that a node is computing. */
export function deleteIndex({ database, cells, clock }: RatePorts, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockRateDay(tx, cells[0], utcDay(clock.nowMs()));
    return removeIndex(tx, cells[0], id);
  });
}
