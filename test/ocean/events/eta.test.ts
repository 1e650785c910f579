import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { NOTHING_RAISED, type Eta } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { box, place, record, utc } from "../records.ts";
import { TRACKED } from "../life.ts";
import { DAY_MS, HOUR_MS, NOT_ARMED, types, watch } from "./watch.ts";

const ETA_MS = march(20);
const MINUTE_MS = 60_000;

const estimate = (ms: number): Eta => ({ at: utc(ms), actual: false });

for (const [moved, movedMs, expected] of [
  ["23:59 later", DAY_MS - MINUTE_MS, "shipment_updated"],
  ["24:00 later", DAY_MS, "eta_changed"],
  ["24:01 later", DAY_MS + MINUTE_MS, "eta_changed"],
  ["23:59 earlier", -DAY_MS + MINUTE_MS, "shipment_updated"],
  ["24:00 earlier", -DAY_MS, "eta_changed"],
] as const) {
  test(`an ETA that moves ${moved} raises ${expected} alone`, () => {
    const poll = watch({ eta: estimate(ETA_MS) }, march(5));
    assert.deepEqual(types(poll({ eta: estimate(ETA_MS + movedMs) }, march(6))), [expected]);
  });
}

test("spec 2.4: eta_changed; 6.2: eta_changed; 6.3: eta_changed; 8: eta_changed: old and new ETA, and the hours between them, positive if later", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  const [later] = poll({ eta: estimate(ETA_MS + 1.5 * DAY_MS) }, march(6));
  assert.deepEqual(
    [later?.data["old_eta"], later?.data["new_eta"], later?.data["delta_hours"]],
    ["2026-03-20T12:00:00.000Z", "2026-03-22T00:00:00.000Z", 36],
  );
  const [earlier] = poll({ eta: estimate(ETA_MS) }, march(7));
  assert.equal(earlier?.data["delta_hours"], -36);
});

test("a second move on one UTC day is an update, and the next day's is a move again", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  const moves = [
    [march(6, 0), ["eta_changed"]],
    [march(7, 0) - 1, ["shipment_updated"]],
    [march(7, 0), ["eta_changed"]],
  ] as const;
  for (const [index, [atMs, expected]] of moves.entries()) {
    assert.deepEqual(types(poll({ eta: estimate(ETA_MS + (index + 1) * 2 * DAY_MS) }, atMs)), expected);
  }
});

test("spec 6.3: eta_changed: moves are measured from the ETA last raised, so that 20 hours a day add up", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  const raised = [1, 2, 3, 4, 5].flatMap((day) =>
    poll({ eta: estimate(ETA_MS + day * 20 * HOUR_MS) }, march(5 + day)).map(({ type, data }) => [
      type,
      data["old_eta"],
      data["delta_hours"],
    ]),
  );
  assert.deepEqual(raised, [
    ["shipment_updated", undefined, undefined],
    ["eta_changed", "2026-03-20T12:00:00.000Z", 40],
    ["shipment_updated", undefined, undefined],
    ["eta_changed", "2026-03-22T04:00:00.000Z", 40],
    ["shipment_updated", undefined, undefined],
  ]);
});

test("an ETA that creeps away and comes back raises updates alone", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  for (const [day, hours] of [20, 4, -16, -23, 0].entries()) {
    const moved = poll({ eta: estimate(ETA_MS + hours * HOUR_MS) }, march(6 + day));
    assert.deepEqual(types(moved), ["shipment_updated"]);
  }
});

test("what moved again on the same UTC day is raised by time alone at midnight, unless it moved back", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  poll({ eta: estimate(ETA_MS + 2 * DAY_MS) }, march(6));
  poll({ eta: estimate(ETA_MS + 4 * DAY_MS) }, march(6, 18));
  const [next, ...more] = poll({}, march(7, 0));
  assert.deepEqual([next?.type, next?.data["delta_hours"], more], ["eta_changed", 48, []]);
  assert.deepEqual(poll({}, march(8, 0)), []);
  poll({ eta: estimate(ETA_MS + 6 * DAY_MS) }, march(9));
  poll({ eta: estimate(ETA_MS + 8 * DAY_MS) }, march(9, 18));
  poll({ eta: estimate(ETA_MS + 6.5 * DAY_MS) }, march(9, 20));
  assert.deepEqual(poll({}, march(10, 0)), []);
});

test("after the handover no ETA moves", () => {
  const poll = watch({ eta: estimate(ETA_MS), status: "delivered" }, march(5));
  assert.deepEqual(types(poll({ eta: estimate(ETA_MS + 3 * DAY_MS) }, march(6))), ["shipment_updated"]);
});

test("a record from before the ETA last raised was kept compares with the last one shown", () => {
  const { etas, ...older } = NOTHING_RAISED;
  assert.ok(etas !== undefined);
  const before = record([box({ eta: estimate(ETA_MS), told: older })]);
  const raisedBy = (hours: number): readonly string[] => {
    const next = record([box({ eta: estimate(ETA_MS + hours * HOUR_MS), told: older })]);
    return changesBetween(TRACKED, before, next, NOT_ARMED, march(6)).events.map(({ type }) => type);
  };
  assert.deepEqual([raisedBy(23), raisedBy(24)], [["shipment_updated"], ["eta_changed"]]);
});

test("the arrival itself is no estimate that moved", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  const arrived = { eta: { at: utc(ETA_MS - 2 * DAY_MS), actual: true }, status: "at_berth" } as const;
  assert.deepEqual(types(poll(arrived, march(18))), ["shipment_updated"]);
});

test("an ETA that was left out for a while is measured by the last one known", () => {
  const poll = watch({ eta: estimate(ETA_MS), etaHistory: [{ at: utc(ETA_MS), seenMs: 0 }] }, march(5));
  assert.deepEqual(poll({ eta: null }, march(6)), []);
  assert.deepEqual(poll({ eta: estimate(ETA_MS) }, march(7)), []);
  poll({ eta: null }, march(8));
  assert.deepEqual(types(poll({ eta: estimate(ETA_MS + 2 * DAY_MS) }, march(9))), ["eta_changed"]);
});

test("the first ETA of a box is an update", () => {
  const poll = watch({ eta: null, etaHistory: [] }, march(5));
  const [first, ...more] = poll({ eta: estimate(ETA_MS) }, march(6));
  assert.deepEqual(first?.data["changed_fields"], ["eta"]);
  assert.deepEqual(more, []);
});

const atPort = (unlocode: string, ms: number): Eta => ({
  ...estimate(ms),
  place: place(unlocode),
  inland: false,
});
const inland = (unlocode: string, ms: number): Eta => ({ ...atPort(unlocode, ms), inland: true });

test("a vessel that is sent to another port moves the ETA, either way", () => {
  const poll = watch({ eta: atPort("NLRTM", ETA_MS) }, march(5));
  const [later, ...more] = poll({ eta: atPort("ESALG", ETA_MS + 3 * DAY_MS) }, march(6));
  assert.deepEqual([later?.type, later?.data["delta_hours"], more], ["eta_changed", 72, []]);
  assert.deepEqual(types(poll({ eta: atPort("NLRTM", ETA_MS) }, march(7))), ["eta_changed"]);
  assert.deepEqual(types(poll({ eta: atPort("BEANR", ETA_MS + DAY_MS - 1) }, march(8))), [
    "shipment_updated",
  ]);
});

test("between an inland place and a port no ETA has moved, and each is then measured by itself", () => {
  const poll = watch({ eta: inland("USCHI", ETA_MS + 6 * DAY_MS) }, march(5));
  const [port, ...more] = poll({ eta: atPort("USORF", ETA_MS) }, march(6));
  assert.deepEqual([port?.type, port?.data["changed_fields"], more], ["shipment_updated", ["eta"], []]);
  assert.deepEqual(types(poll({ eta: atPort("USORF", ETA_MS + DAY_MS) }, march(7))), ["eta_changed"]);
  assert.deepEqual(types(poll({ eta: inland("USCHI", ETA_MS + 6.5 * DAY_MS) }, march(8))), [
    "shipment_updated",
  ]);
  const [again] = poll({ eta: inland("USCHI", ETA_MS + 9 * DAY_MS) }, march(9));
  assert.deepEqual([again?.type, again?.data["delta_hours"]], ["eta_changed", 72]);
});

test("the estimate of the next leg is no move of an arrival made before, and one in place of it is", () => {
  const arrived: Eta = { ...atPort("MYTPP", ETA_MS), actual: true };
  const poll = watch({ eta: arrived, etaHistory: [{ ...arrived, seenMs: march(20) }] }, march(20));
  poll({ eta: null }, march(21));
  const onward = { eta: atPort("DEWVN", ETA_MS + 30 * DAY_MS), arrivingFromMs: ETA_MS + 28 * DAY_MS };
  assert.deepEqual(types(poll(onward, march(22))), ["shipment_updated"]);
  const takenBack = watch({ eta: arrived }, march(20));
  assert.deepEqual(types(takenBack({ eta: atPort("MYTPP", ETA_MS + 2 * DAY_MS) }, march(21))), [
    "eta_changed",
  ]);
});

test("an ETA is compared with one that has no place", () => {
  const poll = watch({ eta: estimate(ETA_MS) }, march(5));
  assert.deepEqual(types(poll({ eta: atPort("USORF", ETA_MS + DAY_MS) }, march(6))), ["eta_changed"]);
  assert.deepEqual(types(poll({ eta: { ...estimate(ETA_MS + 3 * DAY_MS), place: null } }, march(7))), [
    "eta_changed",
  ]);
});
