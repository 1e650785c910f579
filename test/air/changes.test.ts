import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { changesBetween, type TrackedWaybill, type WaybillChanges } from "../../src/products/air/events.ts";
import type { WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { AWB, event, hour, part, recorded } from "./statements.ts";
import { column } from "../support/columns.ts";

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
  test("spec 6.4: one_per_change; 6.2: awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered", () =>
    assert.deepEqual(raisedBy([BOOKED], [ACCEPTED], [DEPARTED], [ARRIVED], [NOTIFIED], [DELIVERED]), [
      "awb_accepted",
      "awb_in_transit",
      "awb_arrived",
      "awb_available",
      "awb_delivered",
    ]));

  test("the first poll raises nothing, however far the waybill has come", () => {
    for (const first of [[], [BOOKED], [ACCEPTED, DEPARTED], [ACCEPTED, DEPARTED, ARRIVED, DELIVERED]]) {
      assert.deepEqual(raisedBy(first, first), []);
    }
  });

  const way = [event("ARR", "DXB", 9), event("RCF", "DXB", 10), event("DEP", "DXB", 12)];
  const deliveries = [4, 3, 3].map((pieces, index) => [event("DLV", "SIN", 20 + 3 * index, part(pieces))]);
  for (const [what, raised, polls] of [
    ["two changes: the last", ["awb_in_transit", "awb_arrived"], [[BOOKED], [ACCEPTED, DEPARTED], [ARRIVED]]],
    ["a late report: nothing", ["awb_in_transit"], [[BOOKED], [DEPARTED], [ACCEPTED], [BOOKED]]],
    ["transit stations: once", ["awb_in_transit"], [[BOOKED], [DEPARTED], ...way.map((one) => [one])]],
    ["parts: the one that makes the whole", ["awb_delivered"], [[ARRIVED], ...deliveries]],
    ["parts that lack one: nothing", [], [[ARRIVED], ...deliveries.slice(0, 2)]],
    ["a discrepancy: nothing", [], [[ACCEPTED], [event("DIS", "FRA", 5, { discrepancy: "MSCA" })]]],
  ] as const) {
    test(`raised of ${what}`, () => assert.deepEqual(raisedBy(...polls), raised));
  }

  for (const [what, sinceHour, first, raised] of [
    ["a status since tracking began", 0, ACCEPTED, ["awb_accepted", "awb_in_transit"]],
    ["a status of the time that tracking began", 2, ACCEPTED, ["awb_accepted", "awb_in_transit"]],
    ["no status of before tracking began", 2.001, ACCEPTED, ["awb_in_transit"]],
    [
      "a status of the day that tracking began",
      44,
      event("RCS", "FRA", 24),
      ["awb_accepted", "awb_in_transit"],
    ],
    ["no status of the day before tracking began", 48, event("RCS", "FRA", 24), ["awb_in_transit"]],
  ] as const) {
    test(`if the airline knew nothing at first, ${what} is raised`, () => {
      const tracked = { ...TRACKED, sinceMs: hour(sinceHour).ms };
      const empty = changesBetween(tracked, null, recorded([]), NOW_MS).record;
      const one = changesBetween(tracked, empty, recorded([first], empty), NOW_MS);
      const two = changesBetween(
        tracked,
        one.record,
        recorded([event("DEP", "FRA", 60)], one.record),
        NOW_MS,
      );
      assert.deepEqual(column([...one.events, ...two.events], "type"), raised);
    });
  }

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
