/** What the record of schedules says of the sailings that boxes wait for, read for many shipments at once. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { findScheduledCalls } from "../../../src/products/schedules/calls/scheduled-calls.ts";
import { createScheduleReader } from "../../../src/products/ocean/scheduled/schedule-reader.ts";
import type { BoxRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import type { Connection } from "../../../src/store/database.ts";
import { said, type Said } from "../../schedules/statements.ts";
import { openScene, type Scene } from "../../schedules/scene.ts";
import { manualClock, START_MS } from "../../support/clock.ts";
import { DAY_MS, HOUR_MS } from "../events/watch.ts";
import { event } from "../event.ts";
import { box, record } from "../records.ts";

const LEAVES_MS = START_MS + 5 * DAY_MS;

const sailing = {
  from: "JPYOK",
  vessel: "HERON DAWN",
  voyage: "014E",
  promisedMs: LEAVES_MS,
  expectedMs: LEAVES_MS,
  departedMs: null,
};

const waiting = (more: Partial<BoxRecord> = {}) =>
  record([box({ status: "pre_departure", timeline: [], sailings: [sailing], ...more })]);

describe("what schedules say of boxes", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.on.drop());
  beforeEach(() => scene.clear());

  function reader(onRead: () => void = () => undefined) {
    const database: Connection = {
      rows: (one, parameters) => {
        onRead();
        return scene.on.database.rows(one, parameters);
      },
    };
    return createScheduleReader(
      (searches) => findScheduledCalls(database, scene.on.productCells, searches),
      manualClock(),
      { batchMax: 100, gatherMs: 0 },
    );
  }

  /** Of the first sailing of the first box. */
  async function foundOf(shipment = waiting()) {
    const scheduledAt = await reader()(shipment);
    const [first] = shipment.boxes;
    return scheduledAt(first!, first!.sailings[0]!);
  }

  const call = (more: Said = {}) => said({ departure: { planned: LEAVES_MS }, ...more });

  test("shipments that are polled together share statements", async () => {
    await scene.say([call()]);
    let reads = 0;
    const read = reader(() => (reads += 1));
    const shipments = Array.from({ length: 90 }, () => waiting());
    const all = await Promise.all(shipments.map(read));
    const calls = all.map((at, nth) => at(shipments[nth]!.boxes[0]!, sailing));
    assert.equal(calls.filter((one) => one?.expectedMs === LEAVES_MS).length, 90);
    assert.ok(reads <= 2, `${reads} statements`);
  });

  test("nothing is read for boxes that wait for no sailing, or for one without names", async () => {
    let reads = 0;
    const read = reader(() => (reads += 1));
    await read(waiting({ status: "delivered" }));
    await read(waiting({ sailings: [{ ...sailing, departedMs: LEAVES_MS }] }));
    await read(waiting({ sailings: [{ ...sailing, vessel: null, voyage: null }] }));
    await read(waiting({ sailings: [{ ...sailing, from: "Yokohama" }] }));
    assert.equal(reads, 0);
  });

  test("a call is found by the vessel's name, by the number that the box's events give, and by the voyage", async () => {
    await scene.say([call()]);
    assert.equal((await foundOf())?.departedMs, null);
    await scene.clear();
    await scene.say([call({ vessel: { imo: "9321483", name: null, isDummy: false } })]);
    const unnumbered = { sailings: [{ ...sailing, voyage: null }] };
    assert.equal(await foundOf(waiting(unnumbered)), null, "the box's carrier has named no number");
    const vessel = { name: "HERON DAWN", imo: "IMO 9321483" };
    const timeline = [event("DEPA", "JPYOK", LEAVES_MS, { classifier: "estimated", vessel })];
    assert.equal((await foundOf(waiting({ ...unnumbered, timeline })))?.expectedMs, LEAVES_MS);
    assert.equal(
      (await foundOf(waiting({ sailings: [{ ...sailing, vessel: null }] })))?.expectedMs,
      LEAVES_MS,
    );
  });

  test("what no store takes as text finds nothing, and hinders nobody", async () => {
    await scene.say([call()]);
    assert.equal(
      await foundOf(waiting({ sailings: [{ ...sailing, voyage: "014E\u0000" }] })).then((one) => one?.voyage),
      "014E",
    );
    assert.equal(
      await foundOf(waiting({ sailings: [{ ...sailing, vessel: "\u0000\ud800", voyage: "\u0000" }] })),
      null,
    );
  });

  test("a call that is gone is missing, unless the vessel's call goes on under another number", async () => {
    const other = call({
      voyage: { import: "099E", export: "099E" },
      vessel: { imo: null, name: "TBN", isDummy: true },
    });
    const complete = {
      carrier: "HRNL",
      service: null,
      port: null,
      fromMs: START_MS,
      toMs: LEAVES_MS + 60 * DAY_MS,
    };
    const at = { arrival: { planned: LEAVES_MS - DAY_MS }, departure: { planned: LEAVES_MS } };
    await scene.say([said(at), other], { complete });
    await scene.say([other], { complete, atMs: START_MS + 1 });
    assert.equal((await foundOf())?.cancelled, null);
    await scene.say([other], { complete, atMs: START_MS + 1 + HOUR_MS });
    assert.equal((await foundOf())?.cancelled, "missing");
    await scene.clear();
    await scene.say([said(at)], { complete });
    await scene.say([said({ ...at, voyage: { import: "015E", export: "015E" } })], {
      complete,
      atMs: START_MS + 1,
    });
    assert.equal(await foundOf(), null);
  });
});
