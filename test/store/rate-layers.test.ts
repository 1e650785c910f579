/** Promotions before standard rates, as lists, lanes, histories and baskets read them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { readBasketPrices } from "../../src/products/rates/store/rate-indices.ts";
import {
  findLane,
  type LaneFilter,
  listLanes,
  listLoadedRates,
  listPastRates,
} from "../../src/products/rates/store/reading/rate-lanes-read.ts";
import { storeRates } from "../../src/products/rates/store/rate-lanes.ts";
import {
  ANY_OFFER,
  clearRates,
  day,
  insertLanes,
  laneOf,
  LANES,
  LOADED,
  rateOf,
  TODAY,
} from "./rate-rows.ts";
import { idOf, openStoreRows, plain, type StoreRows, timeOf } from "./store-rows.ts";

const promotion = (...given: Parameters<typeof rateOf>) => ({ ...rateOf(...given), layer: 1 });

/** Today is the 10th. */
const RATES = [
  // A promotion runs before a standard rate that another one follows.
  rateOf(11, 1, 1, null),
  promotion(12, 1, 8, 12),
  rateOf(13, 1, 20, null),
  // One has ended, the day before; another is to come.
  rateOf(21, 2, 1, 25),
  promotion(22, 2, 5, 9),
  promotion(23, 2, 11, 12),
  rateOf(24, 2, 15, null),
  // To today, without a standard rate.
  promotion(31, 3, 10, 10),
  // Of three that began, the last one runs no more, and the one before it does.
  promotion(41, 4, 2, 20),
  promotion(42, 4, 7, 12),
  promotion(43, 4, 8, 9),
  // All have ended: the promotion last.
  rateOf(51, 5, 1, 7),
  promotion(52, 5, 6, 8),
  promotion(53, 5, 7, 7),
  // The standard rate last.
  rateOf(61, 6, 1, 9),
  promotion(62, 6, 3, 5),
  // Both at once.
  rateOf(71, 7, 1, 8),
  promotion(72, 7, 2, 8),
];

describe("freight rates in layers", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
    await clearRates(rows);
    await insertLanes(rows);
    await storeRates(rows.database, rows.rates, RATES, timeOf(LOADED));
  });
  after(() => rows.drop());

  /** The rate that holds on each lane, its layer, and the day on which it ends. */
  const HOLDING: Readonly<Record<number, readonly [rate: number, layer: number, to: string | null]>> = {
    1: [12, 1, day(12)],
    2: [21, 0, day(14)],
    3: [31, 1, day(10)],
    4: [42, 1, day(12)],
  };

  test("are listed, and read one by one, with the promotion that runs before the standard rate", async () => {
    const any: LaneFilter = {
      origin: null,
      destination: null,
      equipment: null,
      carrier: null,
      ...ANY_OFFER,
      day: TODAY,
    };
    const shown = (lanes: Awaited<ReturnType<typeof listLanes>>) =>
      plain(lanes.flatMap(({ id, rate }) => (rate ? [[id, rate.id, rate.layer, rate.validTo]] : [])));
    const expected = (lanes: typeof LANES) =>
      lanes.flatMap(({ id }) => {
        const holds = HOLDING[plain(id) as number];
        return holds === undefined ? [] : [[plain(id), ...holds]];
      });
    const { all } = rows.productCells.of("rates");
    for (const destination of [null, "NLRTM"]) {
      const listed = await listLanes(
        rows.database,
        rows.productCells.of("rates"),
        { ...any, destination },
        { afterId: null, limit: 99 },
      );
      const lanes = LANES.filter((lane) => destination === null || lane.destination === destination);
      assert.deepEqual(shown(listed), expected(lanes));
    }
    for (const lane of LANES) {
      const read = await findLane(rows.database, all, lane.id, TODAY);
      assert.deepEqual(shown([read!.found]), expected([lane]));
    }
  });

  test("are kept in history, where only a standard rate ends another", async () => {
    const past = async (lane: number) =>
      plain(
        (await listPastRates(rows.database, rows.rates, idOf(lane), { afterId: null, limit: 99 })).map(
          ({ id, layer, validTo }) => [id, layer, validTo],
        ),
      );
    assert.deepEqual(await past(1), [
      [13, 0, null],
      [12, 1, day(12)],
      [11, 0, day(19)],
    ]);
    assert.deepEqual(await past(4), [
      [43, 1, day(9)],
      [42, 1, day(12)],
      [41, 1, day(20)],
    ]);
  });

  test("are listed as loaded, each after the standard rate before it", async () => {
    const all = await listLoadedRates(rows.database, [rows.rates], { afterId: null, limit: 99 });
    const old = Object.fromEntries(all.map(({ id, oldTotal }) => [plain(id), oldTotal]));
    assert.deepEqual(
      [11, 12, 13, 22, 24, 31, 53].map((id) => old[id]),
      [null, "110", "110", "210", "210", null, "510"],
    );
  });

  test("cost a basket what the promotion does, and for some days more what held last", async () => {
    const prices = async (carriedDays: number) => {
      const wanted = [1, 2, 3, 4, 5, 6, 7].map(laneOf);
      const keyed = rows.productCells.of("rates");
      const all = await readBasketPrices(rows.database, keyed, wanted, TODAY, carriedDays);
      return all.map(({ total, carried }) => (carried ? `${total} carried` : total));
    };
    const holding = ["120", "210", "310", "420"];
    assert.deepEqual(await prices(0), [...holding, null, null, null]);
    assert.deepEqual(await prices(2), [...holding, "520 carried", "610 carried", "720 carried"]);
  });
});
