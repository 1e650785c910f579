/** Reading trade lanes and rates: lists, one lane, its history, and the price of a basket. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { readBasketPrices } from "../../src/products/rates/store/rate-indices.ts";
import {
  getLane,
  type LaneFilter,
  listPastRates,
  listLanes,
} from "../../src/products/rates/store/reading/rate-lanes-read.ts";
import { storeRates } from "../../src/products/rates/store/rate-lanes.ts";
import {
  ANY_OFFER,
  clearRates,
  day,
  insertLanesWithRates,
  laneOf,
  LANES,
  LOADED,
  NO_LANE,
  rateOf,
  TODAY,
} from "./rate-rows.ts";
import { dateOf, idOf, openStoreRows, plain, type StoreRows, timeOf } from "./store-rows.ts";

const LATER = 2_000;

describe("freight rates as they are read", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
    await clearRates(rows);
    await insertLanesWithRates(rows);
  });
  after(() => rows.drop());

  const ANY: LaneFilter = {
    origin: null,
    destination: null,
    equipment: null,
    carrier: null,
    ...ANY_OFFER,
    day: TODAY,
  };
  const list = (filter: Partial<LaneFilter>, afterId: number | null = null, limit = 99) =>
    listLanes(
      rows.database,
      rows.productCells.of("rates"),
      { ...ANY, ...filter },
      { afterId: afterId === null ? null : idOf(afterId), limit },
    );
  const idsOf = (lanes: readonly { readonly id: string }[]) => plain(lanes.map(({ id }) => id));
  const ids = async (...given: Parameters<typeof list>) => idsOf(await list(...given));
  /** The rate that holds today on each lane, and the day on which it ends. */
  const HOLDING: Readonly<Record<number, readonly [rate: number, to: string | null]>> = {
    1: [12, day(19)],
    2: [21, day(15)],
    4: [41, day(10)],
    5: [51, null],
  };
  const shown = (lanes: Awaited<ReturnType<typeof list>>) =>
    plain(lanes.flatMap(({ id, rate }) => (rate === null ? [] : [[id, rate.id, rate.validTo]])));

  describe("a list of lanes", () => {
    const ALL = [8, 3, 1, 6, 5, 4, 7, 2];

    test("is in the order of what lanes are known by", async () => {
      assert.deepEqual(idsOf(LANES), ALL);
      assert.deepEqual(await ids({}), ALL);
      assert.deepEqual(await ids({ destination: "NLRTM" }), [8, 1, 6, 5, 4, 2]);
    });

    test("has the lanes of the places, the equipment and the carrier that are asked for", async () => {
      assert.deepEqual(await ids({ origin: "CNNGB" }), [8]);
      assert.deepEqual(await ids({ origin: "CNSHA" }), [3, 1, 6, 5, 4, 7]);
      assert.deepEqual(await ids({ origin: "CNSHA", destination: "NLVLI" }), [7]);
      assert.deepEqual(await ids({ equipment: "45G1" }), [4]);
      assert.deepEqual(await ids({ carrier: "HRNL" }), [5]);
      assert.deepEqual(await ids({ carrier: "" }), [8, 3, 1, 6, 4, 7, 2]);
      assert.deepEqual(await ids({ destination: "DEHAM" }), [3]);
      assert.deepEqual(await ids({ destination: "NLRTM", equipment: "45G1" }), [4]);
      assert.deepEqual(await ids({ destination: "NLRTM", carrier: "HRNL" }), [5]);
      assert.deepEqual(await ids({ destination: "NLRTM", carrier: "" }), [8, 1, 6, 4, 2]);
      assert.deepEqual(await ids({ destination: "JPTYO" }), []);
    });

    test("comes by pages, from behind any lane on", async () => {
      for (const [filter, all] of [
        [{}, ALL],
        [{ destination: "NLRTM" }, [8, 1, 6, 5, 4, 2]],
      ] as const) {
        for (const [place, id] of all.entries())
          assert.deepEqual(await ids(filter, id, 2), all.slice(place + 1, place + 3));
        assert.deepEqual(await ids(filter, null, 2), all.slice(0, 2));
        assert.deepEqual(await ids(filter, 99, 2), []);
      }
    });

    test("has the rate of each lane that holds on the day", async () => {
      const holding = (ofLanes: readonly number[]) =>
        ofLanes.flatMap((id) => (HOLDING[id] === undefined ? [] : [[id, ...HOLDING[id]]]));
      assert.deepEqual(shown(await list({})), holding(ALL));
      assert.deepEqual(shown(await list({ destination: "NLRTM" })), holding([1, 5, 4, 2]));
    });
  });

  test("a lane is read with the rate that holds on the day", async () => {
    const read = async (id: number, on = TODAY) => {
      const lane = await getLane(rows.database, rows.rates, idOf(id), on);
      return lane === null ? null : shown([lane]);
    };
    for (const { id } of LANES) {
      const number = plain(id) as number;
      const holds = HOLDING[number];
      assert.deepEqual(await read(number), holds === undefined ? [] : [[number, ...holds]]);
    }
    assert.equal(await read(9), null);
    const { laneId: _, ...rate } = rateOf(12, 1, 5, 19);
    assert.deepEqual(await getLane(rows.database, rows.rates, idOf(1), TODAY), {
      id: idOf(1),
      ...laneOf(1),
      rate: { ...rate, loadedAt: dateOf(LOADED) },
    });
  });

  describe("a basket", () => {
    const prices = async (lanes: readonly number[], carriedDays: number) => {
      const wanted = [...lanes.map(laneOf), NO_LANE];
      const all = await readBasketPrices(
        rows.database,
        rows.productCells.of("rates"),
        wanted,
        TODAY,
        carriedDays,
      );
      return all.map(({ total, carried }) => [total, carried]);
    };
    const NONE = [null, false];

    test("costs what its lanes do on the day, in their order", async () => {
      assert.deepEqual(await prices([6, 5, 4, 3, 2, 1], 0), [
        NONE,
        ["510", false],
        ["410", false],
        NONE,
        ["210", false],
        ["120", false],
        NONE,
      ]);
    });

    test("has the last prices of lanes whose rates ended some days before", async () => {
      assert.deepEqual(await prices([1, 3, 4, 7, 8], 3), [
        ["120", false],
        ["320", true],
        ["410", false],
        ["710", true],
        NONE,
        NONE,
      ]);
    });
  });

  test("a history has all that a lane ever had, the latest first", async () => {
    const history = async (lane: number, afterId: number | null = null, limit = 99) =>
      listPastRates(rows.database, rows.rates, idOf(lane), {
        afterId: afterId === null ? null : idOf(afterId),
        limit,
      });
    const seen = async (...given: Parameters<typeof history>) =>
      plain((await history(...given)).map(({ id, validTo }) => [id, validTo]));
    assert.deepEqual(await seen(5), [
      [53, null],
      [52, null],
      [51, null],
    ]);
    const again = [
      { ...rateOf(54, 5, 2, 30), base: "1" },
      { ...rateOf(50, 5, 12, 28), base: "1" },
    ];
    await storeRates(rows.database, rows.rates, again, timeOf(LATER));
    assert.deepEqual(await seen(5), [
      [53, null],
      [50, day(28)],
      [52, null],
      [54, day(11)],
      [51, null],
    ]);
    assert.deepEqual(await seen(5, 53, 2), [
      [50, day(28)],
      [52, null],
    ]);
    assert.deepEqual(await seen(5, 54), [[51, null]]);
    assert.deepEqual(await seen(5, 51), []);
    assert.deepEqual(await seen(1), [
      [14, null],
      [13, day(24)],
      [12, day(19)],
      [11, day(4)],
    ]);
    assert.deepEqual(await seen(2), [
      [22, null],
      [21, day(15)],
    ]);
    const last = (await history(5)).at(-1);
    const { laneId: _, ...rate } = rateOf(51, 5, 2, null);
    const ended = { endedAt: dateOf(LATER), endedBy: "replaced" };
    assert.deepEqual(last, { ...rate, loadedAt: dateOf(LOADED), ...ended });
  });
});
