import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { sailingKey } from "../../../src/products/ocean/status/roll-overs.ts";
import { sailingsOf } from "../../../src/products/ocean/status/sailings.ts";
import { NOTHING_RAISED, type Sailing } from "../../../src/products/ocean/record/shipment-record.ts";
import { deriveStatus } from "../../../src/products/ocean/status/status.ts";
import { timelineOf } from "../../../src/products/ocean/timeline/timeline.ts";
import { event, march } from "../event.ts";

const feeder = { name: "HERON FEEDER", imo: "9000001" };
const heron = { name: "HERON DAWN", imo: "9000002" };
const other = { name: "HERON DUSK", imo: "9000003" };

const planned = (code: string, unlocode: string, day: number, more: Partial<CarrierEvent> = {}) =>
  event(code, unlocode, march(day), { classifier: "planned", vessel: heron, ...more });

function sailings(events: readonly CarrierEvent[], previous: readonly Sailing[] = []): readonly Sailing[] {
  const timeline = timelineOf(events);
  const before = { sailings: previous, told: NOTHING_RAISED };
  return sailingsOf(timeline, before, deriveStatus(timeline, 0).journey).sailings;
}

/** `CNTAO HERON DAWN 3>5` promised for the 3rd, expected on the 5th; `CNTAO … 3>5!` made on the 5th. */
function lines(all: readonly Sailing[]): readonly string[] {
  const day = (ms: number) => String(new Date(ms).getUTCDate());
  return all.map(
    ({ from, vessel, promisedMs, expectedMs, departedMs }) =>
      `${from} ${vessel} ${day(promisedMs)}>${day(departedMs ?? expectedMs)}${departedMs === null ? "" : "!"}`,
  );
}

const plan = [
  planned("DEPA", "CNTAO", 3, { vessel: feeder }),
  planned("ARRI", "SGSIN", 8, { vessel: feeder }),
  planned("DISC", "SGSIN", 8, { vessel: feeder }),
  planned("LOAD", "SGSIN", 12),
  planned("DEPA", "SGSIN", 13),
  planned("ARRI", "NLRTM", 30),
];

test("each leg of the plan is a sailing, promised for when it was first planned", () => {
  const first = sailings(plan);
  assert.deepEqual(lines(first), ["CNTAO HERON FEEDER 3>3", "SGSIN HERON DAWN 13>13"]);
  const estimate = planned("DEPA", "CNTAO", 5, { classifier: "estimated", vessel: feeder });
  const later = sailings([...plan, estimate], first);
  assert.deepEqual(lines(later), ["CNTAO HERON FEEDER 3>5", "SGSIN HERON DAWN 13>13"]);
  const made = sailings([...plan, event("DEPA", "CNTAO", march(6), { vessel: feeder })], later);
  assert.deepEqual(lines(made), ["CNTAO HERON FEEDER 3>6!", "SGSIN HERON DAWN 13>13"]);
});

test("a swap of vessels is the same sailing and keeps its promise, a roll-over is another and has its own", () => {
  const first = sailings(plan);
  const onTo = (day: number, hour?: number) =>
    event("DEPA", "SGSIN", march(day, hour), {
      classifier: "planned",
      vessel: other,
      createdAtMs: march(20),
    });
  const swapped = sailings([...plan, onTo(14, 11)], first);
  assert.deepEqual(lines(swapped)[1], "SGSIN HERON DUSK 13>14");
  const before = { sailings: first, told: NOTHING_RAISED };
  const timeline = timelineOf([...plan, onTo(20)]);
  const rolled = sailingsOf(timeline, before, deriveStatus(timeline, 0).journey);
  assert.deepEqual(lines(rolled.sailings)[1], "SGSIN HERON DUSK 20>20");
  assert.equal(sailingKey(rolled.sailings[1]!, rolled), "SGSIN:2");
});

test("another port of departure is another sailing", () => {
  const first = sailings(plan);
  const moved = plan.map((one) =>
    one.place?.unlocode === "SGSIN" ? { ...one, place: { ...one.place, unlocode: "MYPKG" } } : one,
  );
  assert.deepEqual(lines(sailings(moved, first)), ["CNTAO HERON FEEDER 3>3", "MYPKG HERON DAWN 13>13"]);
});

test("a call on the way, where the box stays aboard, is no sailing of it", () => {
  const calls = [
    planned("DEPA", "CNTAO", 3),
    planned("ARRI", "SGSIN", 8),
    planned("DEPA", "SGSIN", 9),
    planned("ARRI", "NLRTM", 30),
  ];
  assert.deepEqual(lines(sailings(calls)), ["CNTAO HERON DAWN 3>3"]);
  const changes = calls.map((one, index) => (index < 2 ? { ...one, vessel: feeder } : one));
  assert.deepEqual(
    lines(sailings(changes)),
    ["CNTAO HERON FEEDER 3>3", "SGSIN HERON DAWN 9>9"],
    "the vessel changes, so the box does too",
  );
});

test("a vessel that leaves its anchorage or its pilot does not set out", () => {
  const at = (facilityType: string) => ({
    place: { unlocode: "CNTAO", name: null, facility: null, facilityType },
  });
  const moves = [planned("DEPA", "CNTAO", 1, at("ANCH")), planned("DEPA", "CNTAO", 4, at("PBPL"))];
  assert.deepEqual(lines(sailings([...moves, ...plan])), [
    "CNTAO HERON FEEDER 3>3",
    "SGSIN HERON DAWN 13>13",
  ]);
});

test("the vessel that brought the box to a transshipment leaves, and the sailing onward still stands", () => {
  const sailed = [
    event("LOAD", "CNTAO", march(2), { vessel: feeder }),
    event("DEPA", "CNTAO", march(3), { vessel: feeder }),
    event("ARRI", "SGSIN", march(8), { vessel: feeder }),
    event("DISC", "SGSIN", march(8), { vessel: feeder }),
  ];
  const first = sailings([...plan, ...sailed]);
  const gone = event("DEPA", "SGSIN", march(9), { vessel: feeder });
  const after = sailings([...plan, ...sailed, gone], first);
  assert.deepEqual(lines(after), ["CNTAO HERON FEEDER 3>3!", "SGSIN HERON DAWN 13>13"]);
  const onward = [
    event("LOAD", "SGSIN", march(14), { vessel: heron }),
    event("DEPA", "SGSIN", march(15), { vessel: heron }),
  ];
  assert.deepEqual(lines(sailings([...plan, ...sailed, gone, ...onward], after)), [
    "CNTAO HERON FEEDER 3>3!",
    "SGSIN HERON DAWN 13>15!",
  ]);
});

test("a departure that nobody reported was made once the box is elsewhere, and a plan left behind is none", () => {
  const gate = event("GTIN", "CNTAO", march(1));
  const arrived = event("ARRI", "SGSIN", march(8), { vessel: feeder });
  const implied = sailings([...plan, gate, arrived], sailings(plan));
  assert.deepEqual(lines(implied)[0], "CNTAO HERON FEEDER 3>3!");
  const reRouted = [
    planned("DEPA", "CNTAO", 3),
    planned("LOAD", "SGSIN", 12),
    planned("DEPA", "SGSIN", 13),
    gate,
    event("DEPA", "CNTAO", march(4), { vessel: heron }),
    event("ARRI", "NLRTM", march(25), { vessel: heron }),
  ];
  assert.deepEqual(lines(sailings(reRouted)), ["CNTAO HERON DAWN 4>4!"]);
});
