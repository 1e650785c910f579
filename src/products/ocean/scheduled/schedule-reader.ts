/** Reads the calls from which boxes are to sail; those that are wanted at once by one statement. */
import { DAY_MS } from "../../../runtime/durations.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import { readAwaitedCalls } from "../store/awaited-sailings.ts";
import type { Connection } from "../../../store/database.ts";
import { createBatch, type BatchSettings } from "../../../freight/polling/batch.ts";
import { expectedTime, type CallRecord } from "../../schedules/calls/call-record.ts";
import type { CallTime } from "../../schedules/calls/call-statement.ts";
import { callState, isNotMade } from "../../schedules/search/call-view.ts";
import { readCallRecord } from "../../schedules/calls/call-row.ts";
import type { ShipmentRecord } from "../record/shipment-record.ts";
import { awaitedSailingsOf, sailingNamesOf, type AwaitedSailing } from "./awaited-sailings.ts";
import {
  matchingCall,
  plainName,
  NO_SCHEDULE,
  type FindScheduledCall,
  type ScheduledCall,
} from "./scheduled-call.ts";

/** What the record of schedules says of the sailings that a shipment's boxes wait for, at this moment. */
export type ReadSchedule = (record: ShipmentRecord) => Promise<FindScheduledCall>;

export function createScheduleReader(
  database: Connection,
  directory: Cell,
  clock: Clock,
  batches: BatchSettings,
): ReadSchedule {
  const read = createBatch<AwaitedSailing, readonly ScheduledCall[]>(
    { ...batches, gatherMs: 0 },
    clock,
    async (all) => {
      // The shipments that one call has woken all ask for the same.
      const searches = new Map(all.map((one) => [awaitedSailingKey(one), callSearchOf(one)]));
      const found = await readAwaitedCalls(database, directory, [...searches.values()]);
      const calls = [...searches.keys()].map(
        (key, index) => [key, scheduledCalls(found.get(index))] as const,
      );
      const known = new Map(calls);
      return all.map((one) => known.get(awaitedSailingKey(one)) ?? []);
    },
  );
  return async (record) => {
    const awaited = awaitedSailingsOf(record);
    if (awaited.length === 0) return NO_SCHEDULE;
    const calls = await Promise.all(awaited.map(read));
    const known = new Map(awaited.map((one, index) => [awaitedSailingKey(one), calls[index]!]));
    return (box, sailing) => {
      const named = sailingNamesOf(box, sailing);
      const near = known.get(awaitedSailingKey({ ...named, carrier: record.carrier, port: sailing.from }));
      return near === undefined ? null : matchingCall(named, near);
    };
  };
}

/** As far as calls may have moved, and further than any that is taken for the sailing lies from it. */
const BEFORE_MS = 30 * DAY_MS;
const AFTER_MS = 90 * DAY_MS;

function callSearchOf({ carrier, port, vessel, voyage, promisedMs, expectedMs }: AwaitedSailing) {
  return {
    carrier,
    port,
    fromMs: Math.min(promisedMs, expectedMs) - BEFORE_MS,
    toMs: Math.max(promisedMs, expectedMs) + AFTER_MS,
    imo: vessel?.imo ?? null,
    name: plainName(vessel?.name ?? null),
    // The store takes no text with such characters.
    voyage: voyage === null || /\p{Cc}/u.test(voyage) ? null : voyage,
  };
}

function awaitedSailingKey({
  carrier,
  port,
  vessel,
  voyage,
  promisedMs,
  expectedMs,
}: AwaitedSailing): string {
  return JSON.stringify([carrier, port, vessel?.imo, vessel?.name, voyage, promisedMs, expectedMs]);
}

function scheduledCalls(records: readonly string[] = []): readonly ScheduledCall[] {
  return records.flatMap((text) => scheduledCall(readCallRecord(text)) ?? []);
}

/** Null: another call stands for it, under another number. */
function scheduledCall(record: CallRecord): ScheduledCall | null {
  const { vessel, voyage, departure, history, raised } = record;
  const state = callState(record);
  if (state === "missing" && raised.cancelled?.kind === "silent") return null;
  const stated = [
    ...[departure.planned, departure.estimated, departure.actual].map((value) => ({ value })),
    ...(history["departure.planned"] ?? []),
    ...(history["departure.estimated"] ?? []),
  ];
  return {
    vessel: vessel.isDummy ? { imo: null, name: null } : { imo: vessel.imo, name: vessel.name },
    voyage: voyage.export ?? voyage.import,
    departuresMs: stated.flatMap((one) => (one.value as CallTime | null)?.ms ?? []),
    expectedMs: expectedTime(departure)?.ms ?? null,
    departedMs: departure.actual?.ms ?? null,
    cancelled: isNotMade(state) ? state : null,
  };
}
