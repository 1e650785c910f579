/** What the families of events make: an event of one box before it has its shipment's names. */
import type { EventTime } from "../../../freight/places/local-time.ts";
import { companionTimes, type CompanionTimes } from "../../../freight/places/local-time.ts";
import type { Place } from "../sources/carrier-event.ts";
import { offsetMinutesIn, zoneOf } from "../../../freight/places/port-zone.ts";
import type { AlreadyRaised } from "../record/shipment-record.ts";

export type Draft = {
  readonly type: string;
  readonly data: object;
  /** What makes it this one and no other of the same box; null: it may come again. */
  readonly key: string | null;
};

/** What a family has to tell, and what has been told once it has. */
export type EventDrafts = { readonly drafts: readonly Draft[]; readonly raised: AlreadyRaised };

/**
 * When something happened (spec 2.3). A carrier that wrote plain UTC has reported neither offset nor
 * zone; one whose offset is not the port's contradicts the zone that we would name.
 */
export function companionTimesAt(at: EventTime, place: Place | null): CompanionTimes {
  const zone = at.offsetMinutes === null ? null : zoneOf(place?.unlocode ?? null);
  const agrees = zone !== null && offsetMinutesIn(zone, at.ms) === at.offsetMinutes;
  return companionTimes({ ...at, timeZone: agrees ? zone : null });
}
