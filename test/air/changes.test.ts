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

function changesAfter(events: readonly AirEvent[], previous: WaybillRecord | null): WaybillChanges {
  const changes = changesBetween(TRACKED, previous, recorded(events, previous), NOW_MS);
  checkEvents(changes.events);
  return changes;
}

/** The events raised by polls that each report more. */
function raisedBy(...polls: readonly (readonly AirEvent[])[]): readonly string[] {
  let record: WaybillRecord | null = null;
  const raised: string[] = [];
  for (const reported of polls) {
    const changes = changesAfter(reported, record);
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
  test("spec 6.4: one_per_change; 6.2: awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered", () => {
    assert.deepEqual(raisedBy([BOOKED], [ACCEPTED], [DEPARTED], [ARRIVED], [NOTIFIED], [DELIVERED]), [
      "awb_accepted",
      "awb_in_transit",
      "awb_arrived",
      "awb_available",
      "awb_delivered",
    ]);
  });

  test("the first poll raises nothing, however far the waybill has come", () => {
    for (const first of [[], [BOOKED], [ACCEPTED, DEPARTED], [ACCEPTED, DEPARTED, ARRIVED, DELIVERED]]) {
      assert.deepEqual(raisedBy(first, first), []);
    }
  });

  test("two changes between two polls raise the event of the current status", () => {
    assert.deepEqual(raisedBy([BOOKED], [ACCEPTED, DEPARTED], [ARRIVED]), ["awb_in_transit", "awb_arrived"]);
  });

  test("a late report of an earlier status raises nothing", () => {
    assert.deepEqual(raisedBy([BOOKED], [DEPARTED], [ACCEPTED], [BOOKED]), ["awb_in_transit"]);
  });

  test("departures and arrivals at transit stations are one event", () => {
    const way = [event("ARR", "DXB", 9), event("RCF", "DXB", 10), event("DEP", "DXB", 12)];
    assert.deepEqual(raisedBy([BOOKED], [DEPARTED], ...way.map((one) => [one])), ["awb_in_transit"]);
  });

  test("only the part delivery that makes the whole raises awb_delivered", () => {
    const deliveries = [4, 3, 3].map((pieces, index) => [event("DLV", "SIN", 20 + 3 * index, part(pieces))]);
    assert.deepEqual(raisedBy([ARRIVED], ...deliveries.slice(0, 2)), []);
    assert.deepEqual(raisedBy([ARRIVED], ...deliveries), ["awb_delivered"]);
  });

  test("a discrepancy raises nothing", () => {
    assert.deepEqual(raisedBy([ACCEPTED], [event("DIS", "FRA", 5, { discrepancy: "MSCA" })]), []);
  });

  test("if the airline knew nothing at first, statuses since tracking began are raised", () => {
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

  test("if the airline knew nothing at first, a status of the day that tracking began is raised", () => {
    const DAY = 24;
    const raised = (sinceHour: number) => {
      const tracked = { ...TRACKED, sinceMs: hour(sinceHour).ms };
      const empty = changesBetween(tracked, null, recorded([]), NOW_MS).record;
      const next = recorded([event("DEP", "FRA", DAY)], empty);
      return changesBetween(tracked, empty, next, NOW_MS).events.length;
    };
    assert.deepEqual([raised(DAY + 20), raised(2 * DAY)], [1, 0]);
  });

  test("spec 6.4: data, with the local time at the station", () => {
    const local = { ...hour(2), local: "2026-11-01T03:00:00", offsetMinutes: 60, timeZone: "Europe/Berlin" };
    const [raised] = changesAfter([event("RCS", "FRA", 2, { at: local })], recorded([BOOKED])).events;
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

  test("companion times that the airline does not give are absent, not null", () => {
    const unzoned = { ...hour(2), offsetMinutes: null, timeZone: null };
    const reported = [event("RCS", "FRA", 2, { at: unzoned })];
    const [raised] = changesAfter(reported, recorded([BOOKED])).events;
    assert.deepEqual(Object.keys(JSON.parse(raised!.data)).slice(5), [
      "event_date_time",
      "event_local_datetime",
    ]);
    const [untimed] = changesAfter([event("RCS", "FRA", null)], recorded([BOOKED])).events;
    assert.equal(Object.keys(JSON.parse(untimed!.data)).length, 5);
  });
});
