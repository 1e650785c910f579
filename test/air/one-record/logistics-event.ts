/** Logistics events of ONE Record, as tests write them. */
import assert from "node:assert/strict";

import { EMPTY_EVENT, type AirEvent } from "../../../src/products/air/timeline/air-event.ts";
import { readRecord, type ReadRecord } from "../../../src/products/air/sources/one-record/read.ts";
import { runToEnd } from "../../../src/runtime/time-slices.ts";

export const AWB = "17612345675";

export function read(value: unknown): ReadRecord {
  const record = runToEnd(readRecord(value, AWB));
  assert.ok(record !== null);
  return record;
}

/** One event in the compact form, with what is given in place of its own. */
export const logisticsEvent = (fields: object = {}) => ({
  "@context": { cargo: "https://onerecord.iata.org/ns/cargo#" },
  "@type": "cargo:LogisticsEvent",
  "cargo:eventCode": { "@id": "https://onerecord.iata.org/ns/code-lists/StatusCode#RCS" },
  "cargo:eventDate": {
    "@type": "http://www.w3.org/2001/XMLSchema#dateTime",
    "@value": "2026-03-10T09:00:00+04:00",
  },
  "cargo:eventLocation": {
    "@type": "cargo:Location",
    "cargo:locationCodes": [{ "@type": "cargo:CodeListElement", "cargo:code": "DXB" }],
  },
  "cargo:eventTimeType": { "@id": "cargo:ACTUAL" },
  ...fields,
});

export const RECEIVED: AirEvent = {
  ...EMPTY_EVENT,
  code: "RCS",
  station: "DXB",
  at: {
    ms: Date.UTC(2026, 2, 10, 5),
    local: "2026-03-10T09:00:00",
    offsetMinutes: 240,
    timeZone: "Asia/Dubai",
  },
  timeIs: "actual",
};

export function only(fields: object): AirEvent {
  const { statement, skipped } = read(logisticsEvent(fields));
  assert.deepEqual(skipped, []);
  assert.equal(statement.events.length, 1);
  return statement.events[0]!;
}
