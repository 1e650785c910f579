/** Statements of one instant: many carriers give dates without times. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { inOrder } from "../../../src/products/ocean/timeline/order.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { tripsOf } from "../../../src/products/ocean/timeline/trip.ts";
import { inLines } from "../in-lines.ts";
import { statementsOf, UNARMED } from "../life.ts";
import { readDateTime } from "../../../src/freight/dcsa/time.ts";
import { companionTimesAt } from "../../../src/products/ocean/timeline/companion-times.ts";
import { place as placeOf } from "../records.ts";
import { forAll } from "../../support/runs.ts";
import { column } from "../../support/columns.ts";

function recordOf(events: readonly CarrierEvent[], nowMs: number) {
  const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;
  return nextRecord({ ...about, events }, null, UNARMED, nowMs).boxes[0]!;
}

/** The same on the dates alone. */
function datesOnly(events: readonly CarrierEvent[]): CarrierEvent[] {
  return events.map((one) => {
    const ms = Math.floor(one.at.ms / 86_400_000) * 86_400_000;
    return { ...one, at: { ms, offsetMinutes: null, local: new Date(ms).toISOString().slice(0, 19) } };
  });
}

const { assertStatus, said } = inLines();

const days: Readonly<Record<string, readonly CarrierEvent[]>> = {
  "a transshipment and the vessel on of one day": said(
    "DEPA CNTAO 1 HERON; ARRI SGSIN 9.1 HERON; DISC SGSIN 9.2 HERON; LOAD SGSIN 9.20 TERN; DEPA SGSIN 9.22 TERN",
  ),
  "a feeder's voyage of one day": said(
    "GTIN CNTAO 8; LOAD CNTAO 9.1 HERON; DEPA CNTAO 9.2 HERON; ARRI CNSHA 9.20 HERON; DISC CNSHA 9.22 HERON",
  ),
  "a change of terminals and a loading of one day": said(
    "DEPA CNTAO 1 HERON; DISC SGSIN 9 HERON; GTOT SGSIN 10.1; GTIN SGSIN 10.2; LOAD SGSIN 10.3 TERN",
  ),
  "a discharge, its release, the way out and the empty return of one day": said(
    "DEPA CNTAO 1 HERON; DISC NLRTM 20.1 HERON; CUS:RELS 20.2; SRM:RELS 20.3; GTOT NLRTM 20.4; GTIN DEDUI 20.20 empty",
  ),
  "a train that takes the box inland, and a truck that fetches it, on one day": said(
    "DEPA CNTAO 1 HERON; DISC NLRTM 20 HERON; LOAD NLRTM 21.1 rail; GTOT NLRTM 21.2 rail; GTIN DEDUI 21.20 rail; GTOT DEDUI 21.22",
  ),
  "an empty return and the next shipper's pick-up of one day": said(
    "DEPA CNTAO 1 HERON; DISC NLRTM 20 HERON; GTOT NLRTM 21; GTIN NLRTM 23.1 empty; GTOT NLRTM 23.5 empty; GTIN NLRTM 24",
  ),
};

test("statements of one instant follow the sense of the journey, in whatever order the carrier gives them", () => {
  for (const [name, events] of Object.entries(days)) {
    const codes = (some: readonly CarrierEvent[]): readonly string[] =>
      some.map(({ code, place }) => `${code} ${place?.unlocode ?? ""}`);
    forAll(20, fc.shuffledSubarray(datesOnly(events), { minLength: events.length }), (shuffled) => {
      assert.deepEqual(codes(inOrder(shuffled)), codes(events), name);
    });
  }
});

test("a journey in dates shows what it shows with its times", async () => {
  const recordings = await readRecordings(JOURNEYS_FOLDER);
  const told = recordings.map((one) => tripsOf(statementsOf(one))[0]?.events ?? []);
  for (const events of [...Object.values(days), ...told]) {
    const actual = events.filter(({ classifier }) => classifier === "actual");
    for (let count = 1; count <= actual.length; count += 1) {
      // A day is over before its dates are read.
      const dayMs = Math.floor((actual[count - 1]?.at.ms ?? 0) / 86_400_000);
      if (Math.floor((actual[count]?.at.ms ?? 0) / 86_400_000) === dayMs) continue;
      const part = actual.slice(0, count);
      const readMs = (dayMs + 1) * 86_400_000;
      const [byTime, byDate] = [recordOf(part, readMs), recordOf(datesOnly(part), readMs)];
      const shown = ({ status, origin, discharge, destination, vessel, transshipments }: typeof byTime) => {
        const places = [origin, discharge, destination, ...transshipments].map((one) => one?.unlocode ?? "");
        return { status, vessel, places };
      };
      const codes = part.map(({ code, place }) => `${code} ${place?.unlocode ?? ""}`);
      assert.deepEqual(shown(byDate), shown(byTime), codes.join(", "));
      assert.deepEqual(column(byDate.milestones, "key"), column(byTime.milestones, "key"), codes.join(", "));
    }
  }
});

test("a plan of the day on which its box was discharged is still to come", () => {
  const line = "@10 DEPA CNTAO 1 HERON; DISC SGSIN 9.0 HERON; LOAD~ SGSIN 9.0 TERN";
  assertStatus([line, "at_transshipment"]);
});

const at = (written: string, unlocode: string | null) =>
  companionTimesAt(readDateTime(written)!, unlocode === null ? null : placeOf(unlocode));

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
