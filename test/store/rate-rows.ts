/** Trade lanes and rates for store tests: each lane differs from the first in one column of its key. */
import { addLanes, type LaneKey, storeRates } from "../../src/products/rates/store/rate-lanes.ts";
import { idOf, type StoreRows, timeOf } from "./store-rows.ts";

const FIRST: LaneKey = {
  origin: "CNSHA",
  destination: "NLRTM",
  equipment: "22G1",
  carrier: "",
  currency: "EUR",
  kind: "",
  contract: "",
  commodity: "FAK",
};

/** In the order of lists: by origin, destination, equipment, carrier and currency. */
export const LANES: readonly (LaneKey & { readonly id: string })[] = [
  { ...FIRST, id: idOf(8), origin: "CNNGB" },
  { ...FIRST, id: idOf(3), destination: "DEHAM" },
  { ...FIRST, id: idOf(1) },
  { ...FIRST, id: idOf(6), currency: "USD" },
  { ...FIRST, id: idOf(5), carrier: "HRNL" },
  { ...FIRST, id: idOf(4), equipment: "45G1" },
  { ...FIRST, id: idOf(7), destination: "NLVLI" },
  { ...FIRST, id: idOf(2), origin: "VNSGN" },
];
export const NO_LANE = { ...FIRST, origin: "JPTYO" };

export function laneOf(id: number): LaneKey {
  const { id: _, ...lane } = LANES.find((one) => one.id === idOf(id))!;
  return lane;
}

/** A day of March 2026, which is the month of all rates. */
export const day = (number: number): string => `2026-03-${String(number).padStart(2, "0")}`;

/** The day for which tests read rates. */
export const TODAY = day(10);
/** When rates are loaded. */
export const LOADED = 1_000;

/** A rate; its amounts and surcharges tell which. */
export const rateOf = (id: number, laneId: number, from: number, to: number | null) => ({
  id: idOf(id),
  laneId: idOf(laneId),
  layer: 0,
  validFrom: day(from),
  validTo: to === null ? null : day(to),
  base: String(id),
  total: String(id * 10),
  surcharges: `{"n":${id}}`,
  terms: `{"t":${id}}`,
});

/** For each lane: past rates, the current one if there is one, and future rates. */
const RATES = [
  // Each to the day before the next.
  rateOf(11, 1, 1, null),
  rateOf(12, 1, 5, null),
  rateOf(13, 1, 20, null),
  rateOf(14, 1, 25, null),
  // To its own end, from today on.
  rateOf(21, 2, 10, 15),
  rateOf(22, 2, 20, null),
  // Over since yesterday; the one before it does not come back.
  rateOf(31, 3, 1, null),
  rateOf(32, 3, 2, 9),
  // To today.
  rateOf(41, 4, 2, 10),
  rateOf(51, 5, 2, null),
  // Not yet.
  rateOf(61, 6, 11, null),
  rateOf(71, 7, 2, 7),
  rateOf(81, 8, 2, 6),
];
/** Of lane 5, from days before and after today. */
export const REMOVED_RATES = [rateOf(52, 5, 5, null), rateOf(53, 5, 12, null)];

export async function clearRates({ rates: { schema }, run }: StoreRows): Promise<void> {
  await run(`truncate ${schema}.rate_lanes, ${schema}.lane_rates, ${schema}.rate_indices cascade`);
  await run(`truncate ${schema}.exchange_sources, ${schema}.exchange_rates`);
  await run(`update ${schema}.rate_day set day = '1970-01-01'`);
}

export async function insertLanes({ database, rates }: StoreRows): Promise<void> {
  await addLanes(database, rates, LANES, timeOf(LOADED));
}

export async function insertLanesWithRates(rows: StoreRows): Promise<void> {
  const { database, rates } = rows;
  await insertLanes(rows);
  await storeRates(database, rates, [...RATES, ...REMOVED_RATES], timeOf(LOADED));
  await rows.run(
    `update ${rates.schema}.lane_rates set ended_at = loaded_at, ended_by = 'removed'
     where id in (${REMOVED_RATES.map(({ id }) => `'${id}'`).join(", ")})`,
  );
}

/** Filters that are not asked for. */
export const ANY_OFFER = { kind: null, contract: null, commodity: null };
