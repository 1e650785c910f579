/** What clients are shown of a stored shipment (spec 2.3, 4.2). */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { shipmentDetail } from "../../../src/products/ocean/tracking/shipment-view.ts";
import type { DetailedShipment } from "../../../src/freight/tracking/store/shipments-read.ts";
import { event, march } from "../event.ts";
import { box, record, utc } from "../records.ts";
import { column, columns } from "../../support/columns.ts";

const NOW_MS = march(7);

function stored(known: ShipmentRecord | null, more: Partial<DetailedShipment> = {}): DetailedShipment {
  return {
    id: "01900000-0000-7000-8000-000000000001",
    reference: "CSQU3054383",
    identifierType: "container_id",
    carrierHint: null,
    carrier: known?.carrier ?? null,
    status: known?.status ?? "pending",
    eta: known?.eta ? new Date(known.eta.at.ms) : null,
    failure: null,
    attention: null,
    vessels: null,
    refreshedAt: known === null ? null : new Date(NOW_MS - 60_000),
    createdAt: new Date(march(1)),
    record: known === null ? null : JSON.stringify(known),
    nextPollAt: new Date(NOW_MS + 3_600_000),
    ...more,
  };
}

test("a shipment without an answer shows every field, empty", () => {
  const known = shipmentDetail(stored(record()), NOW_MS);
  const pending = shipmentDetail(stored(null, { failure: "not_found" }), NOW_MS);
  assert.deepEqual(Object.keys(pending).toSorted(), Object.keys(known).toSorted());
  assert.equal(pending.status, "pending");
  assert.equal(pending.last_failure?.code, "not_found");
  assert.match(pending.last_failure.message, /asked for again/);
  assert.deepEqual([pending.boxes, pending.events, pending.eta_history], [[], [], []]);
});

test("spec 4.2: detail: places with names and time zones, the vessel, the ETA's history, the free time", () => {
  const shown = shipmentDetail(stored(record()), NOW_MS);
  const oakland = {
    unlocode: "USOAK",
    name: "Oakland",
    facility: "Z963",
    time_zone: "America/Los_Angeles",
    latitude: 37.83,
    longitude: -122.29,
  };
  assert.deepEqual([shown.discharge, shown.destination], [oakland, oakland]);
  assert.deepEqual(
    [shown.origin?.time_zone, shown.transshipments[0]?.time_zone],
    ["Asia/Tokyo", "Asia/Seoul"],
  );
  assert.deepEqual([shown.vessel, shown.voyage], [{ name: "HERON ONE", imo: "9000001" }, "012E"]);
  assert.deepEqual(shown.eta_history, [
    { eta: "2026-03-18T12:00:00.000Z", seen_at: "2026-03-01T12:00:00.000Z" },
    { eta: "2026-03-20T12:00:00.000Z", seen_at: "2026-03-05T12:00:00.000Z" },
  ]);
  assert.deepEqual(shown.free_time, {
    last_free_day: "2026-03-25",
    ends_at: "2026-03-26T07:00:00.000Z",
    source: "carrier",
    days_overdue: 0,
    accrued_usd: null,
    rates: null,
  });
  const { equipment_reference, status, eta, ...journey } = shown.boxes[0]!;
  assert.deepEqual([equipment_reference, status, eta], ["CSQU3054383", "in_transit", shown.eta]);
  assert.deepEqual(
    journey,
    Object.fromEntries(Object.keys(journey).map((key) => [key, Reflect.get(shown, key)])),
  );
});

test("spec 2.3: utc_offset_minutes, event_timezone: offset and zone only if known", () => {
  const unknown = event("DEPA", "XXXXX", march(6), { at: utc(march(6)), place: null });
  const { events } = shipmentDetail(
    stored(record([box({ timeline: [...box().timeline, unknown] })])),
    NOW_MS,
  );
  const load = events.find(({ code }) => code === "LOAD");
  assert.deepEqual(load, {
    equipment_reference: "CSQU3054383",
    kind: "equipment",
    code: "LOAD",
    name: "Loading on vessel",
    classifier: "actual",
    event_date_time: "2026-03-05T12:00:00.000Z",
    event_local_datetime: "2026-03-05T21:00:00",
    utc_offset_minutes: 540,
    event_timezone: "Asia/Tokyo",
    place: {
      ...{ unlocode: "JPYOK", name: "Yokohama", facility: null, time_zone: "Asia/Tokyo" },
      ...{ latitude: 35.46, longitude: 139.64 },
    },
    mode: "vessel",
    vessel: { name: "HERON ONE", imo: "9000001" },
    voyage: "012E",
    laden: true,
    document_type: null,
  });
  const last = events.at(-1)!;
  assert.ok(!("utc_offset_minutes" in last) && !("event_timezone" in last));
  assert.deepEqual(column(events, "name"), [
    "Booking confirmed",
    "Gate in",
    "Loading on vessel",
    "Vessel departure",
    "Vessel arrival",
    "Vessel departure",
  ]);
});

test("a bill of lading shows each box, what concerns all of them once, the box that is least far and the last ETA", () => {
  const ahead = box({
    equipment: "MSCU1234566",
    status: "arriving",
    eta: { at: utc(march(19)), actual: false },
    voyage: "011E",
    freeTime: { ...box().freeTime!, endsMs: march(24), lastFreeDay: "2026-03-23" },
  });
  const behind = box();
  const bill = record([ahead, behind], { status: "in_transit", eta: behind.eta });
  const shown = shipmentDetail(stored(bill), NOW_MS);
  assert.deepEqual(columns(shown.boxes, "equipment_reference", "status", "eta", "voyage"), [
    ["MSCU1234566", "arriving", "2026-03-19T12:00:00.000Z", "011E"],
    ["CSQU3054383", "in_transit", "2026-03-20T12:00:00.000Z", "012E"],
  ]);
  assert.deepEqual(
    [shown.status, shown.voyage, shown.eta],
    ["in_transit", "012E", "2026-03-20T12:00:00.000Z"],
  );
  assert.equal(shown.eta_history.at(-1)?.eta, "2026-03-20T12:00:00.000Z");
  assert.equal(shown.free_time?.last_free_day, "2026-03-23");
  assert.deepEqual(columns(shown.events, "code", "equipment_reference"), [
    ["CONF", null],
    ["GTIN", "MSCU1234566"],
    ["GTIN", "CSQU3054383"],
    ["LOAD", "MSCU1234566"],
    ["LOAD", "CSQU3054383"],
    ["DEPA", null],
    ["ARRI", null],
  ]);
});

test("the next poll is when it is due, now if that is past, and null if there is none", () => {
  const next = (nextPollAt: Date | null) =>
    shipmentDetail(stored(null, { nextPollAt }), NOW_MS).next_refresh_at;
  assert.equal(next(new Date(NOW_MS + 1)), new Date(NOW_MS + 1).toISOString());
  assert.equal(next(new Date(0)), new Date(NOW_MS).toISOString(), "asked for: due since the distant past");
  assert.equal(next(null), null);
});

test("a possible air waybill number gets a hint only while no carrier knows it", () => {
  const message = (reference: string, failure: string | null) =>
    shipmentDetail({ ...stored(null, { failure }), reference }, NOW_MS).last_failure?.message ?? "";
  assert.match(
    message("02012345675", "not_found"),
    / air waybill 020-12345675 of Lufthansa.* \/air\/track\/02012345675\.$/,
  );
  for (const reference of ["02012345674", "00012345675", "2012345675", "CSQU3054383", "HRNL123456"]) {
    assert.doesNotMatch(message(reference, "not_found"), /air waybill/, reference);
  }
  assert.doesNotMatch(message("02012345675", "unavailable_timeout"), /air waybill/);
});

test("every failure has a code and a sentence without internal details", () => {
  const failure = (code: string) => shipmentDetail(stored(null, { failure: code }), NOW_MS).last_failure;
  for (const code of ["not_found", "wrong_carrier", "not_permitted"]) {
    assert.equal(failure(code)?.code, code);
    assert.match(failure(code)!.message, /^[A-Z].*\.$/);
  }
  const [other, notAsked] = [failure("wrong_carrier")!, failure("wrong_carrier_not_asked")!];
  assert.equal(notAsked.code, other.code);
  assert.match(other.message, /but another one does/);
  assert.match(notAsked.message, /does not poll the carrier that you named/);
  for (const code of ["unavailable_http_503", "unavailable_quota", "unavailable_breaker_open"]) {
    assert.equal(failure(code)?.code, "unavailable");
    assert.doesNotMatch(failure(code)!.message, /503|quota|breaker/);
  }
});
