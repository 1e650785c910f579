/** What an airline says, as short as a test can write it. Everything is of one waybill from FRA over DXB to SIN, 10 pieces. */
import assert from "node:assert/strict";

import type { LocalTime } from "../../src/freight/places/local-time.ts";
import type { AirEvent, AirStatusCode, WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { EMPTY_EVENT } from "../../src/products/air/timeline/air-event.ts";
import { nextRecord, type WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";

export const AWB = "02012345675";

const FROM_MS = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;
/** All that tests tell has happened by then. */
export const NOW_MS = FROM_MS + 1_000 * HOUR_MS;

/** So many hours into November 2026, by a clock in UTC. */
export function hour(hours: number): LocalTime {
  const ms = FROM_MS + hours * HOUR_MS;
  return { ms, local: new Date(ms).toISOString().slice(0, 19), offsetMinutes: 0, timeZone: "UTC" };
}

export function event(
  code: AirStatusCode,
  station: string | null,
  hours: number | null,
  more: Partial<AirEvent> = {},
): AirEvent {
  return { ...EMPTY_EVENT, code, station, at: hours === null ? null : hour(hours), ...more };
}

/** A part of the ten pieces. */
export function part(pieces: number): Partial<AirEvent> {
  return { pieces, shipmentPart: "part", totalPieces: 10 };
}

export function flight(number: string, date = "2026-11-01"): Partial<AirEvent> {
  return { flight: { carrier: "LH", number, date } };
}

export const FRA_SIN = { from: "FRA", to: "SIN" };

/** A booking of the whole route, which takes 13 hours. */
export function booked(number: string, departs: number, more: Partial<AirEvent> = {}): AirEvent {
  const arrival = hour(departs + 13);
  return event("BKD", "FRA", departs, {
    ...flight(number),
    ...FRA_SIN,
    ...{ arrival, timeIs: "scheduled" },
    ...more,
  });
}

export function statement(
  events: readonly AirEvent[],
  more: Partial<WaybillStatement> = {},
): WaybillStatement {
  return { awb: AWB, origin: "FRA", destination: "SIN", pieces: 10, weightKg: 100, events, ...more };
}

export function nextRecordOfOne(said: WaybillStatement, previous: WaybillRecord | null): WaybillRecord {
  return nextRecord(said.awb, [said], previous, NOW_MS);
}

export function recorded(
  events: readonly AirEvent[],
  previous: WaybillRecord | null = null,
  more: Partial<WaybillStatement> = {},
): WaybillRecord {
  return nextRecordOfOne(statement(events, more), previous);
}

/** A pushed message, said at an hour of November. */
export function message(saidAt: number, ...events: readonly AirEvent[]): WaybillStatement {
  return { ...statement(events), saidMs: hour(saidAt).ms, message: `said at ${saidAt}` };
}

/** A whole answer of a polled airline. */
export function answer(saidAt: number, ...events: readonly AirEvent[]): WaybillStatement {
  return { ...statement(events), saidMs: hour(saidAt).ms, answer: "fsr" };
}

/** Said together, and one after the other: the record is the same. */
export function after(...said: readonly WaybillStatement[]): WaybillRecord {
  const atOnce = nextRecord(AWB, said, null, NOW_MS);
  const oneByOne = said.reduce<WaybillRecord | null>(
    (record, one) => nextRecord(AWB, [one], record, NOW_MS),
    null,
  );
  assert.deepEqual(oneByOne, atOnce);
  return atOnce;
}

/** The hour of November that a time is, to a hundredth. */
export function hoursOf({ ms }: LocalTime): number {
  return Math.round(((ms - FROM_MS) / HOUR_MS) * 100) / 100;
}

export function linesOf({ timeline }: WaybillRecord): readonly string[] {
  return timeline.map(({ code, at, pieces }) => `${code} ${pieces ?? ""}@${at === null ? "?" : hoursOf(at)}`);
}

/** The timeline of a shipment of ten pieces, which does not depend on the order of the reports. */
export function inEveryOrder(...reported: readonly AirEvent[]): readonly AirEvent[] {
  const timeline = timelineOf(reported, 10);
  for (const order of permutations(reported)) assert.deepEqual(timelineOf(order, 10), timeline);
  return timeline;
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
