/** The events that report what differs between two records: their data, their keys, and what raises none. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { march } from "../event.ts";
import { inLines } from "../in-lines.ts";
import { TRACKED, UNARMED } from "../life.ts";

const { assertLooks, last, polled, said } = inLines();

const loaded = "GTIN CNTAO 1; LOAD CNTAO 2 HERON";
const departure = "DEPA CNTAO 3 HERON";
const discharged = `${loaded}; ${departure}; ARRI NLRTM 20; DISC NLRTM 21`;

test("spec 2.4: status_family, container_id, identifier, identifier_type, previous_status, new_status, eta; 6.2: vessel_departed; 6.3: vessel_departed: a departure", () => {
  const eta = "ARRI? NLRTM 31";
  const [raised, ...more] = last(`${loaded}; ${eta} | ${loaded}; ${departure}; ${eta}`).raised;
  assert.deepEqual(more, []);
  const { data, ...rest } = raised!;
  assert.deepEqual(rest, {
    product: "tracking",
    accountId: TRACKED.accountId,
    type: "vessel_departed",
    occurredAtMs: march(28),
    dedupKey: `${TRACKED.id}:CSQU3054383:vessel_departed:CNTAO:1`,
  });
  assert.deepEqual(JSON.parse(data), {
    container_id: TRACKED.id,
    identifier: TRACKED.reference,
    identifier_type: "container_id",
    equipment_reference: "CSQU3054383",
    previous_status: "pre_departure",
    new_status: "in_transit",
    eta: "2026-03-31T12:00:00.000Z",
    demurrage_days_overdue: null,
    demurrage_accrued_usd: null,
    event_date_time: "2026-03-03T12:00:00.000Z",
    event_local_datetime: "2026-03-03T13:00:00",
    utc_offset_minutes: 60,
  });
});

test("spec 6.2: customs_hold; 6.3: customs_hold: a hold at the destination, and its release", () => {
  assertLooks(
    `@21 ${discharged} | @22 + CUS:HOLD 22 | @23 + CUS:RELS 23`,
    "discharged",
    "customs_hold customs_hold",
    "discharged updated(status)",
  );
});

test("spec 3.3: first_resolution, repoll, genuine_transition: neither the first answer, a repeated one, nor a corrected time raises events", () => {
  const corrected = `${loaded}; DEPA CNTAO 3.9 HERON (5)`;
  for (const line of [discharged, `${discharged} | +`, `@9 ${loaded}; ${departure} | @10 ${corrected}`])
    assert.deepEqual(
      polled(line).flatMap(({ raised }) => raised),
      [],
      line,
    );
});

test("a retracted and repeated statement has the same key and is raised once", () => {
  const [first, again] = [departure, `${departure} (9)`].map(
    (left) => last(`${loaded} | + ${left}`).raised[0]?.dedupKey,
  );
  assert.equal(first, again);
});

test("spec 2.4: shipment_updated; 6.2: shipment_updated; 6.3: shipment_updated: a value that a carrier leaves out is no change, and one that it adds is", () => {
  const unnamed = loaded.replace(" HERON", "");
  assertLooks(`${loaded} | ${unnamed}`, "pre_departure", "pre_departure");
  assertLooks(`${unnamed} | ${loaded}`, "pre_departure", "pre_departure updated(vessel)");
});

test("a box whose record ended before implied deliveries existed raises none later", () => {
  const { record } = last(`${discharged}; GTIN NLRTM 25 empty`);
  const [box] = record.boxes;
  const milestones = box!.milestones.filter(({ implied }) => implied !== true);
  const old = { ...record, boxes: [{ ...box!, milestones }] };
  const events = said(`${discharged}; GTIN NLRTM 25 empty`);
  const answer = { carrier: "TEST", identifierType: "container_id", events, freeDays: [] } as const;
  const again = nextRecord(answer, old, UNARMED, march(28));
  assert.deepEqual(changesBetween(TRACKED, old, again, UNARMED, march(28)).events, []);
});
