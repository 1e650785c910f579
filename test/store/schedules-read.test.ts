/** Calls and sailings as readers find them, and the sailings that boxes wait for. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { CallSearch } from "../../src/freight/scheduled-calls/scheduled-calls.ts";
import { wakeAwaitingShipments } from "../../src/products/ocean/store/awaited-sailings.ts";
import { readAwaitedCalls } from "../../src/products/schedules/store/awaited-calls.ts";
import { insertCalls, type PortCallRow } from "../../src/products/schedules/store/port-calls.ts";
import {
  type CallListKey,
  type CallsFilter,
  listCallsOfVessel,
  listPortCalls,
} from "../../src/products/schedules/store/schedules-read.ts";
import { callOf, IMO, OTHER_IMO } from "./call-rows.ts";
import { dateOf, idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const [FROM, BEFORE] = [1_000, 2_000];

describe("schedules as they are read", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.run(`truncate ${rows.schedules.schema}.port_calls`);
  });

  const insert = (calls: Readonly<Record<number, Partial<PortCallRow>>>) =>
    insertCalls(
      rows.database,
      rows.schedules,
      Object.entries(calls).map(([id, fields]) => callOf(Number(id), fields)),
      timeOf(0),
    );
  const numbersOf = (records: readonly string[]) =>
    records.map((record) => (JSON.parse(record) as { n: number }).n);

  for (const [kind, name, other] of [
    ["arrival", "arrivalMs", "departureMs"],
    ["departure", "departureMs", "arrivalMs"],
  ] as const) {
    test(`calls at a port are listed by ${kind}`, async () => {
      const at = (ms: number, fields: Partial<PortCallRow> = {}) => ({
        vesselImo: IMO,
        [name]: timeOf(ms),
        [other]: timeOf(1_500),
        ...fields,
      });
      await insert({
        10: at(FROM - 1),
        11: at(1_200),
        12: at(FROM),
        13: at(1_200),
        14: at(BEFORE - 1),
        15: at(BEFORE),
        16: at(1_300, { port: "DEHAM" }),
        17: at(1_301, { carrier: "TRNC" }),
        18: at(1_302, { vesselImo: OTHER_IMO, status: "CNFM" }),
        19: at(1_303, { goneMs: timeOf(1) }),
        20: at(1_304, { status: "BLNK" }),
        21: at(1_305, { status: "SLID" }),
        22: at(1_306, { status: "OMIT" }),
      });
      const filter: CallsFilter = {
        ...{ port: "NLRTM", kind, fromMs: timeOf(FROM), beforeMs: timeOf(BEFORE) },
        ...{ carrier: null, vessel: null, withCancelled: false },
      };
      const list = async (fields: Partial<CallsFilter> = {}, behind: CallListKey | null = null, limit = 99) =>
        listPortCalls(rows.database, [rows.schedules], { ...filter, ...fields }, behind, limit);
      const ids = async (...given: Parameters<typeof list>) =>
        plain((await list(...given)).map(({ id }) => id));
      assert.deepEqual(plain(await list({}, null, 2)), [
        { id: 12, record: '{"n":12}', at: FROM },
        { id: 11, record: '{"n":11}', at: 1_200 },
      ]);
      assert.deepEqual(await ids(), [12, 11, 13, 17, 18, 14]);
      assert.deepEqual(await ids({ withCancelled: true }), [12, 11, 13, 17, 18, 19, 20, 21, 22, 14]);
      assert.deepEqual(await ids({ carrier: "TRNC" }), [17]);
      assert.deepEqual(await ids({ vessel: OTHER_IMO }), [18]);
      assert.deepEqual(await ids({}, { ms: timeOf(1_200), id: idOf(11) }), [13, 17, 18, 14]);
      assert.deepEqual(await ids({}, { ms: timeOf(1_200), id: idOf(13) }, 2), [17, 18]);
    });
  }

  test("a vessel's calls are the last before a time and the next from then on", async () => {
    const times = { 1: 3, 2: 1, 3: 3, 4: 2, 5: 5, 6: 7, 7: 5, 8: 6 };
    await insert(
      Object.fromEntries(
        Object.entries(times).map(([id, ms]) => [id, { vesselImo: IMO, callsAtMs: timeOf(ms) }]),
      ),
    );
    await insert({
      9: { vesselImo: OTHER_IMO, callsAtMs: timeOf(3) },
      10: { vesselImo: OTHER_IMO, callsAtMs: timeOf(5) },
    });
    const calls = async (limit: number) =>
      numbersOf(await listCallsOfVessel(rows.database, [rows.schedules], IMO, timeOf(5), limit));
    assert.deepEqual(await calls(9), [2, 4, 1, 3, 5, 7, 8, 6]);
    assert.deepEqual(await calls(3), [4, 1, 3, 5, 7, 8]);
    assert.deepEqual(await calls(1), [3, 5]);
  });

  describe("sailings that boxes wait for", () => {
    const search = (fields: Partial<CallSearch> = {}): CallSearch => ({
      ...{ carrier: "HRNL", port: "NLRTM", fromMs: timeOf(FROM), toMs: timeOf(BEFORE) },
      ...{ imo: null, name: null, voyage: null },
      ...fields,
    });
    const find = async (...searches: readonly CallSearch[]) =>
      (await readAwaitedCalls(rows.database, rows.productCells.of("schedules"), searches)).flatMap(
        (records, place) =>
          records instanceof StoreUnavailable || records.length === 0 ? [] : [[place, ...numbersOf(records)]],
      );

    test("are found by vessel, name or voyage, within the time of departure", async () => {
      const leaves = (ms: number, fields: Partial<PortCallRow> = {}) => ({
        departureMs: timeOf(ms),
        vesselImo: IMO,
        vesselName: "M/V Dawn-2",
        ...fields,
      });
      await insert({
        1: leaves(BEFORE),
        2: leaves(FROM),
        3: leaves(1_500, { vesselImo: OTHER_IMO, vesselName: null }),
        4: leaves(1_600, { vesselImo: null }),
        5: leaves(FROM - 1),
        6: leaves(BEFORE + 1),
        7: leaves(1_500, { carrier: "TRNC" }),
        8: leaves(1_500, { port: "DEHAM" }),
      });
      assert.deepEqual(await find(search({ imo: IMO })), [[0, 2, 1]]);
      assert.deepEqual(await find(search({ name: "MVDAWN2" })), [[0, 2, 4, 1]]);
      assert.deepEqual(await find(search({ voyage: "003W" })), [[0, 3]]);
      assert.deepEqual(await find(search({ imo: IMO, name: "MVDAWN2", voyage: "003W" })), [[0, 2, 3, 4, 1]]);
      assert.deepEqual(await find(search(), search({ voyage: "004W" }), search({ voyage: "003W" })), [
        [1, 4],
        [2, 3],
      ]);
    });

    test("are the first forty of a search", async () => {
      const places = Array.from({ length: 41 }, (_, index) => index + 1);
      await insert(
        Object.fromEntries(places.map((id) => [id, { departureMs: timeOf(BEFORE - id), vesselImo: IMO }])),
      );
      assert.deepEqual(await find(search({ imo: IMO })), [[0, ...places.toReversed().slice(0, 40)]]);
    });

    test("make the shipments that wait for any of them due", async () => {
      await rows.account(1);
      await rows.shipment(1, { awaited_sailings: ["a", "b"] });
      await rows.shipment(2, { awaited_sailings: ["c"], changes_at: dateOf(6) });
      await rows.shipment(3, { awaited_sailings: ["c"], changes_at: dateOf(4) });
      await rows.shipment(4, { awaited_sailings: ["d"] });
      await rows.shipment(5);
      await wakeAwaitingShipments(rows.database, rows.cell, ["b", "c"], timeOf(5));
      assert.deepEqual(await rows.read("select id, changes_at from cell.shipments order by id"), [
        [1, 5],
        [2, 5],
        [3, 4],
        [4, null],
        [5, null],
      ]);
    });
  });
});
