/** What the families of events make: an event of one box before it has its shipment's names. */
import type { EventTime, Place } from "../sources/carrier-event.ts";
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

export type CompanionTimes = {
  readonly event_date_time: string;
  readonly event_local_datetime: string;
  readonly utc_offset_minutes?: number;
  readonly event_timezone?: string;
};

/**
 * When something happened (spec 2.3). A carrier that wrote plain UTC has reported neither offset nor
 * zone; one whose offset is not the port's contradicts the zone that we would name.
 */
export function companionTimes(at: EventTime, place: Place | null): CompanionTimes {
  const times = { event_date_time: utcText(at.ms), event_local_datetime: at.local };
  if (at.offsetMinutes === null) return times;
  const zone = zoneOf(place?.unlocode ?? null);
  const agrees = zone !== null && offsetMinutesIn(zone, at.ms) === at.offsetMinutes;
  return { ...times, utc_offset_minutes: at.offsetMinutes, ...(agrees ? { event_timezone: zone } : {}) };
}

export function utcText(ms: number): string {
  return new Date(ms).toISOString();
}
