/** The companion times of an event (spec 2.3). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readDateTime } from "../../../src/freight/dcsa/time.ts";
import { companionTimesAt } from "../../../src/products/ocean/timeline/companion-times.ts";
import { place } from "../records.ts";

const at = (written: string, unlocode: string | null) =>
  companionTimesAt(readDateTime(written)!, unlocode === null ? null : place(unlocode));

const SINGAPORE = {
  event_date_time: "2026-03-10T20:24:00.000Z",
  event_local_datetime: "2026-03-11T04:24:00",
  utc_offset_minutes: 480,
  event_timezone: "Asia/Singapore",
};

// spec 2.3: event_local_datetime, utc_offset_minutes, event_timezone
test("a time in plain UTC has the local time and the zone of its place, as one with the place's offset has", () => {
  assert.deepEqual(at("2026-03-10T20:24:00Z", "SGSIN"), SINGAPORE);
  assert.deepEqual(at("2026-03-11T04:24:00+08:00", "SGSIN"), SINGAPORE);
  const summer = at("2026-07-01T12:00:00Z", "NLRTM");
  assert.deepEqual([summer.event_local_datetime, summer.utc_offset_minutes], ["2026-07-01T14:00:00", 120]);
});

test("without a place of a known zone plain UTC has none, and another offset than the place's contradicts it", () => {
  const plain = { event_date_time: "2026-03-10T20:24:00.000Z", event_local_datetime: "2026-03-10T20:24:00" };
  assert.deepEqual(at("2026-03-10T20:24:00Z", null), plain);
  assert.deepEqual(at("2026-03-10T20:24:00Z", "XXXXX"), plain);
  assert.deepEqual(at("2026-03-10T21:24:00+01:00", "SGSIN"), {
    event_date_time: "2026-03-10T20:24:00.000Z",
    event_local_datetime: "2026-03-10T21:24:00",
    utc_offset_minutes: 60,
  });
});
