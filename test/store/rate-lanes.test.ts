/** Writing trade lanes and rates: what a load changes, and what a new day changes. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  addLanes,
  lockRateDay,
  listDueLanes,
  findLanes,
  readChangedLanes,
  recordLanes,
  removeRate,
  storeRates,
} from "../../src/products/rates/store/rate-lanes.ts";
import {
  clearRates,
  day,
  insertLanes,
  insertLanesWithRates,
  laneOf,
  LANES,
  LOADED,
  NO_LANE,
  rateOf,
  TODAY,
} from "./rate-rows.ts";
import { idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const PLAN_MODE = { name: "plan_mode", text: "select current_setting('plan_cache_mode') as mode" };

describe("freight rates in the store", () => {
  const rows = storeRows(clearRates);

  test("move forward to a day and never back, and plan each batch of their transaction again", async () => {
    const connection = await rows.database.dedicated(rows.rates, () => {});
    const modes = async () => (await connection.rows<{ mode: string }>(PLAN_MODE, []))[0]!.mode;
    const begin = (today: string) => lockRateDay(connection, rows.rates, today);
    const usual = await modes();
    await connection.rows({ name: "begin", text: "begin" }, []);
    assert.deepEqual([await begin(day(2)), await begin(day(1)), await begin(day(3))], [2, 2, 3].map(day));
    assert.equal(await modes(), "force_custom_plan");
    await connection.rows({ name: "commit", text: "commit" }, []);
    assert.equal(await modes(), usual);
    await connection.close();
  });

  test("are of lanes that are known by all eight of their columns", async () => {
    await insertLanes(rows);
    const found = await findLanes(rows.database, rows.rates, [NO_LANE, ...LANES.toReversed(), NO_LANE]);
    assert.deepEqual(plain(found), [null, 2, 7, 4, 5, 6, 1, 3, 8, null]);
    const more = [
      { kind: "spot" },
      { kind: "contract" },
      { contract: "A", kind: "contract" },
      { commodity: "TEA" },
    ];
    const lanes = more.map(
      (one, at) => ({ ...LANES[2]!, ...one, id: idOf(20 + at) }) as (typeof LANES)[number],
    );
    await addLanes(rows.database, rows.rates, lanes, timeOf(LOADED));
    assert.deepEqual(
      plain(await findLanes(rows.database, rows.rates, [LANES[2]!, ...lanes])),
      [1, 20, 21, 22, 23],
    );
  });

  describe("a load", () => {
    beforeEach(() => insertLanes(rows));

    const store = async (...rates: readonly ReturnType<typeof rateOf>[]) =>
      plain(await storeRates(rows.database, rows.rates, rates, timeOf(NOW)));
    const rates = () =>
      rows.read(
        `select id, lane_id, valid_from::text, valid_to::text, base, total, surcharges, loaded_at, ended_at, ended_by
         from ${rows.rates.schema}.lane_rates order by id`,
      );
    const stored = (
      id: number,
      laneId: number,
      from: number,
      ended: readonly [number, string] | null = null,
    ) => [
      ...[id, laneId, day(from), null, String(id), String(id * 10), `{"n":${id}}`, NOW],
      ...(ended ?? [null, null]),
    ];

    test("writes what is not there yet", async () => {
      assert.deepEqual(await store(rateOf(11, 1, 1, null)), { laneIds: [1], replaced: 0 });
      const same = { ...rateOf(11, 1, 1, null), id: idOf(12) };
      assert.deepEqual(await store(same), { laneIds: [], replaced: 0 });
      assert.deepEqual(await store(same, rateOf(13, 2, 1, null), rateOf(14, 1, 2, null)), {
        laneIds: [2, 1],
        replaced: 0,
      });
      assert.deepEqual(await rates(), [stored(11, 1, 1), stored(13, 2, 1), stored(14, 1, 2)]);
    });

    test("puts a rate in the place of one with the same lane and first day that differs in anything", async () => {
      let id = 20;
      for (const change of [
        { validTo: day(9) },
        { base: "1" },
        { total: "1" },
        { surcharges: "{}" },
        { terms: "{}" },
      ]) {
        await clearRates(rows);
        await insertLanes(rows);
        await store(rateOf(11, 1, 1, null), rateOf(12, 1, 2, null), rateOf(13, 2, 1, null));
        const changed = { ...rateOf(11, 1, 1, null), id: idOf(id++), ...change };
        assert.deepEqual(await store(changed), { laneIds: [1], replaced: 1 });
        const ended = (await rates()) as readonly (readonly unknown[])[];
        assert.deepEqual(ended.slice(0, 3), [
          stored(11, 1, 1, [NOW, "replaced"]),
          stored(12, 1, 2),
          stored(13, 2, 1),
        ]);
        assert.equal(ended.length, 4);
      }
    });

    test("writes a rate again that was removed", async () => {
      await store(rateOf(11, 1, 1, null), rateOf(12, 1, 2, null), rateOf(13, 2, 1, null));
      const remove = async (id: number) =>
        plain(await removeRate(rows.database, rows.rates, idOf(id), timeOf(NOW + 1)));
      assert.deepEqual([await remove(13), await remove(13), await remove(14)], [2, null, null]);
      assert.deepEqual(await rates(), [
        stored(11, 1, 1),
        stored(12, 1, 2),
        stored(13, 2, 1, [NOW + 1, "removed"]),
      ]);
      const again = { ...rateOf(13, 2, 1, null), id: idOf(15) };
      assert.deepEqual(await store(again), { laneIds: [2], replaced: 0 });
    });
  });

  describe("a look", () => {
    beforeEach(() => insertLanesWithRates(rows));

    const look = async (ids: readonly number[], on: string) =>
      (await readChangedLanes(rows.database, rows.rates, ids.map(idOf), on)).toSorted((a, b) =>
        a.id < b.id ? -1 : 1,
      );
    const note = (lanes: Awaited<ReturnType<typeof look>>, told: readonly number[]) =>
      recordLanes(
        rows.database,
        rows.rates,
        lanes,
        new Set(lanes.filter(({ id }) => told.map(idOf).includes(id))),
      );
    /** What holds, to when, and when that changes. */
    const news = (lanes: Awaited<ReturnType<typeof look>>) =>
      plain(lanes.map(({ id, newId, validTo, changesOn }) => [id, newId, validTo, changesOn]));
    const ALL = [1, 2, 3, 4, 5, 6];

    test("finds the rate that holds on the day, to when, and when time changes that", async () => {
      assert.deepEqual(news(await look(ALL, TODAY)), [
        [1, 12, day(19), day(20)],
        [2, 21, day(15), day(16)],
        [4, 41, day(10), day(11)],
        [5, 51, null, null],
        [6, null, day(10), day(11)],
      ]);
      assert.deepEqual(news(await look([2], TODAY)), [[2, 21, day(15), day(16)]]);
    });

    test("reports no lane whose noted state is unchanged", async () => {
      await note(await look(ALL, TODAY), []);
      assert.deepEqual(news(await look(ALL, TODAY)), []);
      assert.deepEqual(news(await look(ALL, day(11))), [
        [4, null, null, null],
        [6, 61, null, null],
      ]);
    });

    test("reports the previous rate and the current one", async () => {
      const without = { oldLayer: null, oldBase: null, oldTotal: null, oldSurcharges: null };
      const of12 = {
        newId: idOf(12),
        newLayer: 0,
        newBase: "12",
        newTotal: "120",
        newSurcharges: '{"n":12}',
        newTerms: '{"t":12}',
      };
      const first = { ...of12, validFrom: day(5), validTo: day(19), changesOn: day(20), since: day(5) };
      const lane = { id: idOf(1), ...laneOf(1) };
      assert.deepEqual(await look([1], TODAY), [
        { ...lane, hasHadRate: false, changesRaised: 0, ...without, ...first },
      ]);
      await note(await look(ALL, TODAY), [1, 2]);
      const of13 = {
        newId: idOf(13),
        newLayer: 0,
        newBase: "13",
        newTotal: "130",
        newSurcharges: '{"n":13}',
        newTerms: '{"t":13}',
      };
      assert.deepEqual(await look([1], day(20)), [
        {
          ...lane,
          ...{
            hasHadRate: true,
            changesRaised: 1,
            oldLayer: 0,
            oldBase: "12",
            oldTotal: "120",
            oldSurcharges: '{"n":12}',
          },
          ...{ ...of13, validFrom: day(20), validTo: day(24), changesOn: day(25), since: day(20) },
        },
      ]);
    });

    test("notes the current rate, whether the lane ever had one, and how many changes were raised", async () => {
      await note(await look(ALL, TODAY), [1, 4]);
      await note(await look([4], day(11)), [4]);
      assert.deepEqual(
        await rows.read(
          `select id, valid_rate_id, has_had_rate, changes_on::text, changes_raised
           from ${rows.rates.schema}.rate_lanes where id <= '${idOf(6)}' order by id`,
        ),
        [
          [1, 12, true, day(20), 1],
          [2, 21, true, day(16), 0],
          [3, null, false, null, 0],
          [4, null, true, null, 2],
          [5, 51, true, null, 0],
          [6, null, false, day(11), 0],
        ],
      );
    });

    test("is due on lanes that the day changes, the longest due first", async () => {
      const lanes = await look(ALL, TODAY);
      await note(lanes, []);
      const due = async (on: number, limit: number) =>
        plain(await listDueLanes(rows.database, rows.rates, day(on), limit));
      assert.deepEqual(await due(10, 9), []);
      assert.deepEqual(await due(16, 9), [4, 6, 2]);
      assert.deepEqual(await due(31, 3), [4, 6, 2]);
      assert.deepEqual(await due(31, 9), [4, 6, 2, 1]);
    });
  });

  test("were loaded at the time of the load", async () => {
    await insertLanesWithRates(rows);
    assert.deepEqual(
      await rows.read(
        `select distinct lane.created_at, rate.loaded_at
         from ${rows.rates.schema}.rate_lanes as lane, ${rows.rates.schema}.lane_rates as rate`,
      ),
      [[LOADED, LOADED]],
    );
  });
});
