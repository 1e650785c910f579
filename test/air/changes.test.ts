import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { changesBetween, type TrackedWaybill, type WaybillChanges } from "../../src/products/air/events.ts";
import type { WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { AWB, event, hour, part, recorded } from "./statements.ts";

const NOW_MS = hour(100).ms;
const TRACKED: TrackedWaybill = { id: "w", accountId: "a", airlineIata: "LH", sinceMs: hour(0).ms };
const check = createEventDataCheck(products);

function told(events: readonly AirEvent[], previous: WaybillRecord | null): WaybillChanges {
  const changes = changesBetween(TRACKED, previous, recorded(events, previous), NOW_MS);
  checkEvents(changes.events);
  return changes;
}

/** The events of looks that each show so much more. */
function raisedBy(...looks: readonly (readonly AirEvent[])[]): readonly string[] {
  let record: WaybillRecord | null = null;
  const raised: string[] = [];
  for (const look of looks) {
    const changes = told(look, record);
    raised.push(...changes.events.map(({ type }) => type));
    ({ record } = changes);
  }
  return raised;
}

const BOOKED = event("BKD", "FRA", 1);
const ACCEPTED = event("RCS", "FRA", 2);
const DEPARTED = event("DEP", "FRA", 3);
const ARRIVED = event("ARR", "SIN", 15);
const NOTIFIED = event("NFD", "SIN", 16);
const DELIVERED = event("DLV", "SIN", 20);

describe("the events of a waybill", () => {
  test("each change of the status raises its event", () => {
    assert.deepEqual(raisedBy([BOOKED], [ACCEPTED], [DEPARTED], [ARRIVED], [NOTIFIED], [DELIVERED]), [
      "awb_accepted",
      "awb_in_transit",
      "awb_arrived",
      "awb_available",
      "awb_delivered",
    ]);
  });

  test("a first look tells nothing, however far the waybill had come", () => {
    for (const first of [[], [BOOKED], [ACCEPTED, DEPARTED], [ACCEPTED, DEPARTED, ARRIVED, DELIVERED]]) {
      assert.deepEqual(raisedBy(first, first), []);
    }
  });

  test("two changes between two looks are told by the event of what holds now", () => {
    assert.deepEqual(raisedBy([BOOKED], [ACCEPTED, DEPARTED], [ARRIVED]), ["awb_in_transit", "awb_arrived"]);
  });

  test("what comes late and says less raises nothing", () => {
    assert.deepEqual(raisedBy([BOOKED], [DEPARTED], [ACCEPTED], [BOOKED]), ["awb_in_transit"]);
  });

  test("departures and arrivals on the way are one event", () => {
    const way = [event("ARR", "DXB", 9), event("RCF", "DXB", 10), event("DEP", "DXB", 12)];
    assert.deepEqual(raisedBy([BOOKED], [DEPARTED], ...way.map((one) => [one])), ["awb_in_transit"]);
  });

  test("only the part delivery that makes the whole raises awb_delivered", () => {
    const deliveries = [4, 3, 3].map((pieces, index) => [event("DLV", "SIN", 20 + index, part(pieces))]);
    assert.deepEqual(raisedBy([ARRIVED], ...deliveries.slice(0, 2)), []);
    assert.deepEqual(raisedBy([ARRIVED], ...deliveries), ["awb_delivered"]);
  });

  test("a discrepancy raises nothing", () => {
    assert.deepEqual(raisedBy([ACCEPTED], [event("DIS", "FRA", 5, { discrepancy: "MSCA" })]), []);
  });

  test("where the airline knew nothing at first, it is news what happened since tracking began", () => {
    assert.deepEqual(raisedBy([], [ACCEPTED]), ["awb_accepted"]);
    const inTime = { ...TRACKED, sinceMs: hour(2).ms };
    const before = changesBetween(inTime, null, recorded([]), NOW_MS).record;
    assert.equal(changesBetween(inTime, before, recorded([ACCEPTED], before), NOW_MS).events.length, 1);
    const late = { ...TRACKED, sinceMs: hour(2).ms + 1 };
    const empty = changesBetween(late, null, recorded([]), NOW_MS).record;
    const changes = changesBetween(late, empty, recorded([ACCEPTED], empty), NOW_MS);
    assert.deepEqual(changes.events, []);
    const next = changesBetween(late, changes.record, recorded([DEPARTED], changes.record), NOW_MS);
    assert.deepEqual(
      next.events.map(({ type }) => type),
      ["awb_in_transit"],
    );
  });

  test("the data are those of the specification, with the time at the station beside them", () => {
    const local = { ...hour(2), local: "2026-11-01T03:00:00", offsetMinutes: 60, timeZone: "Europe/Berlin" };
    const [raised] = told([event("RCS", "FRA", 2, { at: local })], recorded([BOOKED])).events;
    assert.ok(raised);
    const data: unknown = JSON.parse(raised.data);
    assert.deepEqual(data, {
      awb: AWB,
      airline_iata: "LH",
      status: "accepted",
      origin: "FRA",
      destination: "SIN",
      event_date_time: "2026-11-01T02:00:00.000Z",
      event_local_datetime: "2026-11-01T03:00:00",
      utc_offset_minutes: 60,
      event_timezone: "Europe/Berlin",
    });
    assert.ok(check("air", raised.type, data).ok);
    assert.deepEqual(
      [raised.product, raised.accountId, raised.occurredAtMs, raised.dedupKey],
      ["air", "a", NOW_MS, "w:accepted"],
    );
  });

  test("companions that the airline does not give are absent, not null", () => {
    const unzoned = { ...hour(2), offsetMinutes: null, timeZone: null };
    const look = [event("RCS", "FRA", 2, { at: unzoned })];
    const [raised] = told(look, recorded([BOOKED])).events;
    assert.deepEqual(Object.keys(JSON.parse(raised!.data)).slice(5), [
      "event_date_time",
      "event_local_datetime",
    ]);
    const [untimed] = told([event("RCS", "FRA", null)], recorded([BOOKED])).events;
    assert.equal(Object.keys(JSON.parse(untimed!.data)).length, 5);
  });
});
