/** Boxes that were not in the port yet when the vessel left that they were planned for. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march, plan } from "../event.ts";
import { departures, pollThrough, raisedIn } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9000001" }, voyage: "012E" };
const egret = { vessel: { name: "EGRET BAY", imo: "9000002" }, voyage: "044E" };

const planned = [plan("DEPA", "CNTAO", march(5), heron), plan("ARRI", "NLRTM", march(30), heron)];
const gone = [event("DEPA", "CNTAO", march(5), heron), ...planned.slice(1)];
const pickUp = (day: number): CarrierEvent => event("GTOT", "CNTAO", march(day), { laden: false });
const gateIn = event("GTIN", "CNTAO", march(9));

for (const [late, what] of [
  [[pickUp(3), gateIn], "came in at the gate"],
  [[pickUp(7)], "was picked up"],
  [[pickUp(7), gateIn], "was picked up and came in at the gate"],
  [[pickUp(7), event("STUF", "CNTAO", march(8)), gateIn], "was picked up, filled and came in"],
] as const) {
  test(`spec 6.3: vessel_departed: a vessel leaves without the box that ${what} a day later`, () => {
    const rebooked = [
      ...late,
      gone[0]!,
      plan("DEPA", "CNTAO", march(14), egret, march(11)),
      plan("ARRI", "NLRTM", march(38), egret, march(11)),
    ];
    const polls = pollThrough([
      [march(2), planned],
      [march(10), [...gone, ...late]],
      [march(11), rebooked],
      [
        march(14),
        [
          ...rebooked,
          gateIn,
          event("LOAD", "CNTAO", march(13), egret),
          event("DEPA", "CNTAO", march(14), egret),
        ],
      ],
    ]);
    assert.deepEqual(
      raisedIn(polls)
        .slice(1, 3)
        .map((line) => line.slice("2026-03-10T10:50 ".length).split(" updated")[0]),
      ["pre_departure schedule_disruption", "pre_departure eta_changed"],
    );
    assert.deepEqual(departures(polls), ["2026-03-14T12:00:00.000Z"]);
  });
}

test("a gate reported with a time shortly after the departure leaves the box aboard", () => {
  const late = event("GTIN", "CNTAO", march(6, 6));
  const [, now] = pollThrough([
    [march(2), planned],
    [march(10), [...gone, late]],
  ]);
  assert.equal(now?.record.status, "in_transit");
});
