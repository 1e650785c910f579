import assert from "node:assert/strict";
import { test } from "node:test";

import type { Eta } from "../../../src/producers/ocean/shipment-record.ts";
import { march } from "../event.ts";
import { place, utc } from "../records.ts";
import { DAY_MS, HOUR_MS, types, watch } from "./watch.ts";

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
  test(`an ETA that moves ${moved} is told by ${expected}, and by that alone`, () => {
    const look = watch({ eta: estimate(ETA_MS) }, march(5));
    assert.deepEqual(types(look({ eta: estimate(ETA_MS + movedMs) }, march(6))), [expected]);
  });
}

test("the old and the new ETA are told with the hours between them, positive when it is later", () => {
  const look = watch({ eta: estimate(ETA_MS) }, march(5));
  const [later] = look({ eta: estimate(ETA_MS + 1.5 * DAY_MS) }, march(6));
  assert.deepEqual(
    [later?.data["old_eta"], later?.data["new_eta"], later?.data["delta_hours"]],
    ["2026-03-20T12:00:00.000Z", "2026-03-22T00:00:00.000Z", 36],
  );
  const [earlier] = look({ eta: estimate(ETA_MS) }, march(7));
  assert.equal(earlier?.data["delta_hours"], -36);
});

test("a second move on one UTC day is an update, and the next day's is a move again", () => {
  const look = watch({ eta: estimate(ETA_MS) }, march(5));
  const moves = [
    [march(6, 0), ["eta_changed"]],
    [march(7, 0) - 1, ["shipment_updated"]],
    [march(7, 0), ["eta_changed"]],
  ] as const;
  for (const [index, [atMs, expected]] of moves.entries()) {
    assert.deepEqual(types(look({ eta: estimate(ETA_MS + (index + 1) * 2 * DAY_MS) }, atMs)), expected);
  }
});

test("each move is measured by the look before, so that a creeping ETA is told by updates", () => {
  const look = watch({ eta: estimate(ETA_MS) }, march(5));
  for (let day = 1; day <= 4; day += 1) {
    assert.deepEqual(types(look({ eta: estimate(ETA_MS + day * 20 * HOUR_MS) }, march(5 + day))), [
      "shipment_updated",
    ]);
  }
});

test("the arrival itself is no estimate that moved", () => {
  const look = watch({ eta: estimate(ETA_MS) }, march(5));
  const arrived = { eta: { at: utc(ETA_MS - 2 * DAY_MS), actual: true }, status: "at_berth" } as const;
  assert.deepEqual(types(look(arrived, march(18))), ["shipment_updated"]);
});

test("an ETA that was left out for a while is measured by the last one known", () => {
  const look = watch({ eta: estimate(ETA_MS), etaHistory: [{ at: utc(ETA_MS), seenMs: 0 }] }, march(5));
  assert.deepEqual(look({ eta: null }, march(6)), []);
  assert.deepEqual(look({ eta: estimate(ETA_MS) }, march(7)), []);
  look({ eta: null }, march(8));
  assert.deepEqual(types(look({ eta: estimate(ETA_MS + 2 * DAY_MS) }, march(9))), ["eta_changed"]);
});

test("the first ETA of a box is an update", () => {
  const look = watch({ eta: null, etaHistory: [] }, march(5));
  const [first, ...more] = look({ eta: estimate(ETA_MS) }, march(6));
  assert.deepEqual(first?.data["changed_fields"], ["eta"]);
  assert.deepEqual(more, []);
});

test("an ETA for another place than the one before is an update, and is then measured by itself", () => {
  const at = (unlocode: string, ms: number): Eta => ({ ...estimate(ms), place: place(unlocode) });
  const look = watch({ eta: at("USCHI", ETA_MS + 6 * DAY_MS) }, march(5));
  const [port, ...more] = look({ eta: at("USORF", ETA_MS) }, march(6));
  assert.deepEqual([port?.type, port?.data["changed_fields"], more], ["shipment_updated", ["eta"], []]);
  assert.deepEqual(types(look({ eta: at("USORF", ETA_MS + DAY_MS) }, march(7))), ["eta_changed"]);
});

test("an ETA is measured by one that was known before places were kept, or whose place is not told", () => {
  const look = watch({ eta: estimate(ETA_MS) }, march(5));
  const moved: Eta = { ...estimate(ETA_MS + DAY_MS), place: place("USORF") };
  assert.deepEqual(types(look({ eta: moved }, march(6))), ["eta_changed"]);
  assert.deepEqual(types(look({ eta: { ...estimate(ETA_MS + 3 * DAY_MS), place: null } }, march(7))), [
    "eta_changed",
  ]);
});
