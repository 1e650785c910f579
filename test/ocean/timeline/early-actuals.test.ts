/** What carriers call actual though it lies in the future. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord, nextRecordAt } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march } from "../event.ts";
import { pollThrough, raisedIn, statementsOf, UNARMED } from "../life.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const heron = { vessel: { name: "HERON DAWN", imo: null } };
const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const eta = event("ARRI", "NLRTM", march(25), { ...heron, classifier: "estimated" });
const arrival = event("ARRI", "NLRTM", march(20), heron);

function record(
  events: readonly CarrierEvent[],
  nowMs: number,
  before: ShipmentRecord | null = null,
): ShipmentRecord {
  return nextRecord({ carrier: "HRNL", identifierType: null, events, freeDays: [] }, before, UNARMED, nowMs);
}

/** By time alone until nothing more changes by itself before `untilMs`. */
function passTime(from: ShipmentRecord, untilMs: number): ShipmentRecord {
  let last = from;
  for (let atMs = from.changesAtMs; atMs !== null && atMs < untilMs; atMs = last.changesAtMs) {
    last = nextRecordAt(last, UNARMED, atMs);
  }
  return nextRecordAt(last, UNARMED, untilMs);
}

test("an actual arrival ten days ahead moves the ETA and no status, and counts when its time comes", () => {
  const polls = pollThrough([
    [march(5), [...sailed, eta]],
    [march(10), [...sailed, arrival]],
    [march(15), [...sailed, arrival]],
  ]);
  assert.deepEqual(raisedIn(polls), [
    "2026-03-05T12:00 in_transit",
    "2026-03-10T12:00 in_transit eta_changed",
    "2026-03-15T12:00 in_transit",
  ]);
  const { record: before } = polls.at(-1)!;
  assert.deepEqual(before.eta?.actual, false);
  const after = passTime(before, march(20));
  assert.deepEqual([after.status, after.eta?.actual], ["at_berth", true]);
  assert.equal(after.boxes[0]?.timeline.at(-1)?.classifier, "actual");
});

test("up to 15 hours ahead an actual time is a wrong zone or clock, and counts at once", () => {
  const ahead = (hours: number): string => record([...sailed, arrival], march(20) - hours * HOUR_MS).status;
  assert.deepEqual([ahead(15), ahead(15.1)], ["at_berth", "arriving"]);
});

test("a loading, a delivery and an empty return ahead of their time are no more than plans", () => {
  const ashore = [
    arrival,
    event("DISC", "NLRTM", march(21), heron),
    event("GTOT", "NLRTM", march(22)),
    event("GTIN", "NLRTM", march(24), { laden: false, mode: "truck" }),
  ];
  const atAll = [...sailed, ...ashore];
  const statuses = [1, 4, 20, 21, 22, 24].map((day) => record(atAll, march(day)).status);
  assert.deepEqual(statuses, [
    "pre_departure",
    "in_transit",
    "at_berth",
    "discharged",
    "delivered",
    "returned_empty",
  ]);
});

test("an estimate that was written later is the ETA until the time comes that the carrier calls actual", () => {
  const corrected = { ...eta, createdAtMs: march(12) };
  const early = { ...arrival, createdAtMs: march(11) };
  const before = record([...sailed, early, corrected], march(13));
  assert.equal(before.eta?.at.ms, eta.at.ms);
  assert.deepEqual(passTime(before, march(20)).eta?.at.ms, arrival.at.ms);
});

test("an answer that has all of a journey ahead of its time comes to the same record by time alone", async () => {
  for (const recording of await readRecordings(JOURNEYS_FOLDER)) {
    const statements = statementsOf(recording);
    const times = statements.map(({ at }) => at.ms);
    const [firstMs, endMs] = [Math.min(...times), Math.max(...times) + DAY_MS];
    fc.assert(
      fc.property(fc.integer({ min: firstMs, max: endMs }), (atMs) => {
        const first = record(statements, atMs);
        const waited = passTime(first, endMs);
        const polled = record(statements, endMs, first);
        const shown = ({ status, boxes }: ShipmentRecord): object => [
          status,
          boxes.map(({ timeline }) => timeline),
        ];
        assert.deepEqual(shown(waited), shown(polled), recording.name);
      }),
      { numRuns: 20 },
    );
  }
});

test("an actual departure ahead of its time is no plan to sail again, before and after a re-evaluation", () => {
  const ship = { vessel: { name: "HERON DUSK", imo: "9000002" } };
  const stated = [
    event("DEPA", "CNTAO", march(1), ship),
    event("DEPA", "CNTAO", march(9, 4), ship),
    event("DEPA", "CNTAO", march(9, 5), { classifier: "estimated" }),
  ];
  const polled = record(stated, march(8));
  assert.equal(polled.status, "in_transit");
  assert.equal(nextRecordAt(polled, UNARMED, march(8)).status, "in_transit");
});

test("what was stated ahead of its time has happened when the next answer comes, evaluated in between or not", () => {
  const out = [event("DISC", "NLRTM", march(5), heron), event("GTOT", "NLRTM", march(6))];
  const polled = record([...sailed, ...out, event("GTIN", "NLRTM", march(10))], march(8));
  assert.equal(polled.status, "delivered");
  const next = [event("GTIN", "BEANR", march(7))];
  const [once, waited] = [polled, passTime(polled, march(12))].map((before) =>
    record(next, march(12), before),
  );
  assert.equal(once?.status, waited?.status);
  for (const before of [once, waited]) assert.equal(record(next, march(12), before).status, before?.status);
});
