/** When something happened: the instant, and the wall clock of the place. */
import { utcText } from "../../model/instant.ts";
import { HOUR_MS, MINUTE_MS } from "../../runtime/durations.ts";

/** A moment as its source wrote it (spec 2.3). */
export type EventTime = {
  /** The instant, milliseconds since the epoch. */
  readonly ms: number;
  /** Minutes to add to UTC for the place's wall clock; null where the source wrote plain UTC. */
  readonly offsetMinutes: number | null;
  /** The wall clock as written, without an offset: `2026-01-02T18:13:00`. */
  readonly local: string;
};

/** `timeZone`: an IANA name; null where the place's zone is unknown. */
export type LocalTime = EventTime & { readonly timeZone: string | null };

/** By the clock of the zone; without a zone by the offset, and without either by UTC. */
export function localTimeAt(ms: number, timeZone: string | null, offsetMinutes: number | null): LocalTime {
  const offset = timeZone === null ? offsetMinutes : offsetMinutesIn(timeZone, ms);
  const local = utcText(ms + (offset ?? 0) * MINUTE_MS).slice(0, "YYYY-MM-DDThh:mm:ss".length);
  // In the order of stored records, which are compared as text.
  return { ms, local, offsetMinutes: offset, timeZone };
}

/** How far ahead of its reading an actual time is believed: a wrong zone makes it up to 14 hours late, a clock some minutes. */
export const BELIEVED_AHEAD_MS_MAX = 15 * HOUR_MS;

export type CompanionTimes = {
  readonly event_date_time: string;
  readonly event_local_datetime: string;
  readonly utc_offset_minutes?: number;
  readonly event_timezone?: string;
};

/** The companion times of an event (spec 2.3). An unknown offset or zone is left out. */
export function companionTimes({ ms, local, offsetMinutes, timeZone }: LocalTime): CompanionTimes {
  return {
    event_date_time: utcText(ms),
    event_local_datetime: local,
    ...(offsetMinutes === null ? {} : { utc_offset_minutes: offsetMinutes }),
    ...(timeZone === null ? {} : { event_timezone: timeZone }),
  };
}

/** Minutes that a zone was ahead of UTC at a moment. */
export function offsetMinutesIn(zone: string, ms: number): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
}

/** The calendar day at a place, `YYYY-MM-DD`. */
export function dayIn(zone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
}
