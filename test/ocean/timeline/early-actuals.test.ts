/** What carriers call actual though it lies in the future. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { nextRecordAt } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { inLines } from "../in-lines.ts";
import { lookAt, statementsOf, UNARMED } from "../life.ts";
import { forAll } from "../../support/runs.ts";
import { column } from "../../support/columns.ts";

const DAY_MS = 24 * 3_600_000;
/** Of whatever trip: that of a container that has ended would await the next one. */
const ANY = { identifierType: null };
const { assertLooks, assertStatus, last, said } = inLines({ about: ANY });

const record = (line: string): ShipmentRecord => last(line).record;
const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const arrival = "ARRI NLRTM 20 HERON";

/** By time alone until nothing more changes by itself before `untilMs`. */
function passTime(from: ShipmentRecord, untilMs: number): ShipmentRecord {
  let latest = from;
  for (let atMs = from.changesAtMs; atMs !== null && atMs < untilMs; atMs = latest.changesAtMs) {
    latest = nextRecordAt(latest, UNARMED, atMs);
  }
  return nextRecordAt(latest, UNARMED, untilMs);
}

test("an actual arrival ten days ahead moves the ETA and no status, and counts when its time comes", () => {
  const line = `@5 ${sailed}; ARRI? NLRTM 25 HERON | @10 ${sailed}; ${arrival} | @15 +`;
  assertLooks(line, "in_transit", "in_transit eta_changed", "in_transit");
  assert.equal(record(line).eta?.actual, false);
  const after = passTime(record(line), march(20));
  assert.deepEqual([after.status, after.eta?.actual], ["at_berth", true]);
  assert.equal(after.boxes[0]?.timeline.at(-1)?.classifier, "actual");
});

test("up to 15 hours ahead an actual time is a wrong zone or clock, and counts at once", () =>
  assertStatus([`@19.21 ${sailed}; ${arrival}`, "at_berth"], [`@19.20 ${sailed}; ${arrival}`, "arriving"]));

test("a loading, a delivery and an empty return ahead of their time are no more than plans", () => {
  const all = `${sailed}; ${arrival}; DISC NLRTM 21 HERON; GTOT NLRTM 22; GTIN NLRTM 24 empty truck`;
  assertStatus(
    [`@1 ${all}`, "pre_departure"],
    [`@4 ${all}`, "in_transit"],
    [`@20 ${all}`, "at_berth"],
    [`@21 ${all}`, "discharged"],
    [`@22 ${all}`, "delivered"],
    [`@24 ${all}`, "returned_empty"],
  );
});

test("an estimate that was written later is the ETA until the time comes that the carrier calls actual", () => {
  const before = record(`@13 ${sailed}; ${arrival} (11); ARRI? NLRTM 25 HERON (12)`);
  assert.equal(before.eta?.at.ms, march(25));
  assert.equal(passTime(before, march(20)).eta?.at.ms, march(20));
});

test("an answer that has all of a journey ahead of its time comes to the same record by time alone", async () => {
  for (const recording of await readRecordings(JOURNEYS_FOLDER)) {
    const statements = statementsOf(recording);
    const times = statements.map(({ at }) => at.ms);
    const [firstMs, endMs] = [Math.min(...times), Math.max(...times) + DAY_MS];
    const shown = ({ status, boxes }: ShipmentRecord) => [status, boxes.map(({ timeline }) => timeline)];
    forAll(20, fc.integer({ min: firstMs, max: endMs }), (atMs) => {
      const first = lookAt(statements, null, atMs, ANY).record;
      const polled = lookAt(statements, first, endMs, ANY).record;
      assert.deepEqual(shown(passTime(first, endMs)), shown(polled), recording.name);
    });
  }
});

test("an actual departure ahead of its time is no plan to sail again, before and after a re-evaluation", () => {
  const polled = record("@8 DEPA CNTAO 1 DUSK; DEPA CNTAO 9.4 DUSK; DEPA? CNTAO 9.5");
  assert.deepEqual(column([polled, nextRecordAt(polled, UNARMED, march(8))], "status"), [
    "in_transit",
    "in_transit",
  ]);
});

test("what was stated ahead of its time has happened when the next answer comes, evaluated in between or not", () => {
  const polled = record(`@8 ${sailed}; DISC NLRTM 5 HERON; GTOT NLRTM 6; GTIN NLRTM 10`);
  assert.equal(polled.status, "delivered");
  const next = said("GTIN BEANR 7");
  const [once, waited] = [polled, passTime(polled, march(12))].map(
    (before) => lookAt(next, before, march(12), ANY).record,
  );
  assert.equal(once?.status, waited?.status);
  for (const before of [once!, waited!])
    assert.equal(lookAt(next, before, march(12), ANY).record.status, before.status);
});
