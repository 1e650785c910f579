/** Reads the calls from which boxes are to sail. One statement serves simultaneous reads. */
import type { CallSearch, ScheduledCall } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { createBatch, type BatchBounds } from "../../../engine/batch-writer.ts";
import type { ShipmentRecord } from "../record/shipment-record.ts";
import { awaitedSailingsOf, sailingNamesOf, type AwaitedSailing } from "./awaited-sailings.ts";
import { matchingCall, NO_SCHEDULE, type FindScheduledCall } from "./scheduled-call.ts";
import { plainName } from "../timeline/vessel-names.ts";

/** What the record of schedules says of the sailings that a shipment's boxes wait for, at this moment. */
export type ReadSchedule = (record: ShipmentRecord) => Promise<FindScheduledCall>;

/** Resolves to what each search finds, in their order. */
export type FindCalls = (searches: readonly CallSearch[]) => Promise<readonly (readonly ScheduledCall[])[]>;

export function createScheduleReader(findCalls: FindCalls, clock: Clock, batches: BatchBounds): ReadSchedule {
  const read = createBatch<AwaitedSailing, readonly ScheduledCall[]>(
    { ...batches, gatherMs: 0 },
    clock,
    async (all) => {
      // The shipments that one call has woken all ask for the same.
      const searches = new Map(all.map((one) => [awaitedSailingKey(one), callSearchOf(one)]));
      const found = await findCalls([...searches.values()]);
      const known = new Map([...searches.keys()].map((key, index) => [key, found[index]]));
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

function callSearchOf(sailing: AwaitedSailing): CallSearch {
  const { carrier, port, vessel, voyage, promisedMs, expectedMs } = sailing;
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
