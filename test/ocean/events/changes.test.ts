import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { checkEvents } from "../../support/check-deliveries.ts";
import { event, march, documentEvent } from "../event.ts";
import { TRACKED, UNARMED } from "../life.ts";

const NOW = march(28);

function record(events: readonly CarrierEvent[], previous: ShipmentRecord | null = null): ShipmentRecord {
  const statements = { carrier: "HRNL", identifierType: "container_id", events, freeDays: [] } as const;
  return nextRecord(statements, previous, UNARMED, NOW);
}

function raisedBetween(before: readonly CarrierEvent[], after: readonly CarrierEvent[]) {
  const previous = record(before);
  const { events } = changesBetween(TRACKED, previous, record(after, previous), UNARMED, NOW);
  checkEvents(events);
  return events;
}

const heron = { name: "HERON DAWN", imo: null };
const loaded = [event("GTIN", "CNTAO", march(1)), event("LOAD", "CNTAO", march(2), { vessel: heron })];
const departure = event("DEPA", "CNTAO", march(3), { vessel: heron });
const discharged = [
  ...loaded,
  departure,
  event("ARRI", "NLRTM", march(20)),
  event("DISC", "NLRTM", march(21)),
];

test("spec 2.4: status_family, container_id, identifier, identifier_type, previous_status, new_status, eta; 6.2: vessel_departed; 6.3: vessel_departed: a departure", () => {
  const eta = event("ARRI", "NLRTM", march(31), { classifier: "estimated" });
  const [raised, ...more] = raisedBetween([...loaded, eta], [...loaded, departure, eta]);
  assert.deepEqual(more, []);
  assert.ok(raised);
  const { data, ...rest } = raised;
  assert.deepEqual(rest, {
    product: "tracking",
    accountId: TRACKED.accountId,
    type: "vessel_departed",
    occurredAtMs: NOW,
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

test("spec 2.3: utc_offset_minutes, event_timezone: without the carrier's offset and a place of a known zone, both are absent", () => {
  const at = { ms: march(3), offsetMinutes: null, local: "2026-03-03T12:00:00" };
  const inUtc = { ...departure, at, place: { ...departure.place!, unlocode: "CNZZZ" } };
  const [raised] = raisedBetween(loaded, [...loaded, inUtc]);
  const data = JSON.parse(raised?.data ?? "{}") as object;
  assert.equal("utc_offset_minutes" in data, false);
  assert.equal("event_timezone" in data, false);
});

test("spec 6.2: vessel_departed, container_available, container_delivered; 2.4: previous_status: events of one poll go from the status before to the next", () => {
  const raised = raisedBetween(loaded, [
    ...discharged,
    documentEvent("SRM", "RELS", march(22)),
    event("GTOT", "NLRTM", march(23)),
  ]);
  assert.deepEqual(
    raised.map(({ type, data }) => {
      const { previous_status, new_status } = JSON.parse(data) as Record<string, string>;
      return [type, previous_status, new_status];
    }),
    [
      ["vessel_departed", "pre_departure", "in_transit"],
      ["container_available", "in_transit", "available"],
      ["container_delivered", "available", "delivered"],
      ["shipment_updated", undefined, undefined],
    ],
  );
});

test("spec 6.2: customs_hold; 6.3: customs_hold: a hold at the destination, and its release", () => {
  const held = [...discharged, documentEvent("CUS", "HOLD", march(22))];
  const [hold, ...more] = raisedBetween(discharged, held);
  assert.equal(hold?.type, "customs_hold");
  assert.equal((JSON.parse(hold.data) as { new_status?: string }).new_status, "customs_hold");
  assert.deepEqual(more, []);
  const released = raisedBetween(held, [...held, documentEvent("CUS", "RELS", march(23))]);
  assert.deepEqual(
    released.map(({ type }) => type),
    ["shipment_updated"],
  );
});

test("spec 3.3: first_resolution, repoll, genuine_transition: neither the first answer nor a repeated one raises events", () => {
  assert.deepEqual(changesBetween(TRACKED, null, record(discharged), UNARMED, NOW).events, []);
  assert.deepEqual(raisedBetween(discharged, discharged), []);
});

test("a corrected time of a raised event raises nothing", () => {
  const corrected = { ...departure, at: event("DEPA", "CNTAO", march(3, 9)).at, createdAtMs: march(5) };
  assert.deepEqual(raisedBetween([...loaded, departure], [...loaded, corrected]), []);
});

test("a retracted and repeated statement has the same key and is raised once", () => {
  const first = raisedBetween(loaded, [...loaded, departure]);
  const again = raisedBetween(loaded, [...loaded, { ...departure, createdAtMs: march(9) }]);
  assert.equal(first[0]?.dedupKey, again[0]?.dedupKey);
});

test("spec 2.4: shipment_updated; 6.2: shipment_updated; 6.3: shipment_updated: a value that a carrier leaves out is no change, and one that it adds is", () => {
  const unnamed = loaded.map((one) => ({ ...one, vessel: null }));
  assert.deepEqual(raisedBetween(loaded, unnamed), []);
  const [raised] = raisedBetween(unnamed, loaded);
  assert.deepEqual((JSON.parse(raised?.data ?? "{}") as { changed_fields?: unknown }).changed_fields, [
    "vessel",
  ]);
});

test("a box on its next trip does not revive the shipment, though the carrier has forgotten the trip", () => {
  const returned = [...discharged, event("GTIN", "NLRTM", march(25), { laden: false })];
  const previous = record(returned, record(discharged));
  assert.equal(previous.status, "returned_empty");
  const next = record([event("GTOT", "NLRTM", march(27), { laden: false })], previous);
  assert.deepEqual(next, previous);
});

test("a bill of lading with several boxes has a record for each, and the status of the one least far", () => {
  const other = { equipment: "HRNU4000017" };
  const first = record([...loaded, event("GTIN", "CNTAO", march(1), other)]);
  assert.deepEqual(
    first.boxes.map(({ equipment }) => equipment),
    ["CSQU3054383", "HRNU4000017"],
  );
  const later = record([...discharged, event("GTIN", "CNTAO", march(1), other)], first);
  assert.deepEqual([later.boxes[0]?.status, later.status], ["discharged", later.boxes[1]?.status]);
});

test("spec 6.3: container_delivered: a box that comes back empty was delivered before, without an event time if unreported", () => {
  const back = event("GTIN", "NLRTM", march(25), { laden: false });
  const [delivered, updated, ...more] = raisedBetween(discharged, [...discharged, back]);
  assert.deepEqual(more, []);
  const data = JSON.parse(delivered?.data ?? "{}") as Record<string, unknown>;
  assert.deepEqual(
    [delivered?.type, data["previous_status"], data["new_status"]],
    ["container_delivered", "discharged", "delivered"],
  );
  assert.ok(!("event_date_time" in data) && !("event_local_datetime" in data));
  assert.deepEqual(
    [updated?.type, (JSON.parse(updated?.data ?? "{}") as Record<string, unknown>)["changed_fields"]],
    ["shipment_updated", ["status"]],
  );
  const late = [...discharged, event("GTOT", "NLRTM", march(23)), back];
  assert.deepEqual(raisedBetween([...discharged, back], late), [], "its delivery is raised once");
  assert.deepEqual(
    raisedBetween([...discharged, event("GTOT", "NLRTM", march(23))], late).map(({ type }) => type),
    ["shipment_updated"],
  );
});

test("a box whose record ended before implied deliveries existed raises none later", () => {
  const back = event("GTIN", "NLRTM", march(25), { laden: false });
  const known = record([...discharged, back]);
  const [box] = known.boxes;
  assert.ok(box);
  const old = { ...known, boxes: [{ ...box, milestones: box.milestones.filter(({ implied }) => !implied) }] };
  const again = record([...discharged, back], old);
  assert.deepEqual(changesBetween(TRACKED, old, again, UNARMED, NOW).events, []);
});
