/**
 * The last free day of a box, the days overdue and their cost. Free time runs where the journey ends, by the
 * calendar of that port, from the box's discharge to its gate-out.
 */
import {
  type FreeDay,
  isKnownToDiffer,
  placeKey,
  samePlace,
  type CarrierEvent,
  type Place,
} from "../sources/carrier-event.ts";
import { dayIn } from "../../../freight/places/local-time.ts";
import { portsAt, zoneAt } from "../../../freight/places/known-ports.ts";
import type { Port } from "../../../freight/places/ports.ts";
import type { BoxRecord, FreeTime } from "../record/shipment-record.ts";
import { ASHORE, AT_TERMINAL } from "../status/status-groups.ts";
import { accruedCents, tariffFor, type Tariffs, type Tariff } from "./tariff.ts";

export type DischargedBox = Pick<
  BoxRecord,
  | "equipment"
  | "status"
  | "timeline"
  | "milestones"
  | "discharge"
  | "destination"
  | "misrouting"
  | "announced"
> & {
  /** Whether the voyage's end is shown; if it is only assumed, a tariff gives no day. */
  readonly isEndShown: boolean;
};

/**
 * Null before the box is ashore, without a reported discharge where the journey ends, and if neither the carrier nor a
 * tariff gives a last free day. The carrier's day comes first; the rates are always the tariff's.
 */
export function freeTimeOf(
  box: DischargedBox,
  carrier: string,
  tariffs: Tariffs,
  stated: readonly FreeDay[],
  nowMs: number,
): FreeTime | null {
  const port = box.destination ?? box.discharge;
  if (port === null || !ASHORE.includes(box.status)) return null;
  const discharge = box.misrouting === null ? dischargeAt(port, box) : null;
  if (discharge === null) return null;
  const places = writtenAs(port, box);
  const ports = places.map(portsAt).find(({ length }) => length > 0) ?? [];
  const zone = zoneOf(places, port, box.timeline);
  const dischargeDay = dayIn(zone, discharge.at.ms);
  const tariff = tariffFor(tariffs, {
    carrier,
    ports: [port, ...ports].flatMap(({ unlocode }) => unlocode ?? []),
    equipment: isoCodeOf(box),
    dischargeDay,
  });
  const statedHere = stated.filter(
    ({ of }) => !of?.place || places.some((place) => samePlace(of.place ?? null, place)),
  );
  const statedDay = statedFor(box.equipment, statedHere, dischargeDay);
  const last =
    statedDay ??
    (tariff === null || !box.isEndShown ? null : lastFreeDay(tariff, countryOf(port, ports), dischargeDay));
  if (last === null) return null;
  const untilMs = Math.min(leftMs(box) ?? nowMs, nowMs);
  const daysOverdue = Math.max(0, daysBetween(last, dayIn(zone, untilMs)));
  const cents = tariff === null ? null : accruedCents(tariff, daysOverdue);
  return {
    lastFreeDay: last,
    source: statedDay === null ? "tariff" : "carrier",
    endsMs: endOfDayMs(last, zone),
    warnsMs: warningMs(last, zone),
    daysOverdue,
    accruedUsd: cents === null ? null : cents / 100,
    ...(tariff === null || tariff.rates.length === 0 ? {} : { rates: tariff.rates }),
  };
}

/**
 * The box's own day, else that of all boxes; of several, the one stated last. A day that had passed when the box was
 * discharged is of an old plan.
 */
function statedFor(
  equipment: string | null,
  stated: readonly FreeDay[],
  dischargeDay: string,
): string | null {
  const possible = stated.filter(({ lastFreeDay: day }) => daysBetween(day, dischargeDay) <= 1);
  const own = possible.findLast((day) => day.equipment !== null && day.equipment === equipment);
  return (own ?? possible.findLast((day) => day.equipment === null))?.lastFreeDay ?? null;
}

/** The discharge from a vessel at the last port; at the inland terminal where the journey ends, any or the gate-in. */
function dischargeAt(port: Place, { timeline, discharge }: DischargedBox): CarrierEvent | null {
  const here = timeline.filter(
    (event) =>
      event.classifier === "actual" &&
      event.kind === "equipment" &&
      event.laden !== false &&
      samePlace(event.place, port),
  );
  const offVessel = here.findLast(({ code, mode }) => code === "DISC" && mode === "vessel");
  if (offVessel !== undefined || samePlace(discharge, port)) return offVessel ?? null;
  return here.find(({ code }) => code === "DISC" || code === "GTIN") ?? null;
}

/** A box that is back at the terminal has not left. */
function leftMs({ status, milestones }: DischargedBox): number | null {
  if (AT_TERMINAL.includes(status)) return null;
  return milestones.findLast(({ type }) => type === "container_delivered")?.at.ms ?? null;
}

/** As the answer has it in other forms: its facility elsewhere with a name, or where the plan ended. */
function writtenAs(port: Place, { timeline, announced, discharge }: DischargedBox): readonly Place[] {
  const isUnnamed = placeKey(port) === port.facility;
  const named = timeline.flatMap(({ place }) =>
    isUnnamed && place?.facility === port.facility && placeKey(place) !== place?.facility
      ? (place ?? [])
      : [],
  );
  // Codes of terminals are unique within one port only.
  const isOne = new Set(named.map(placeKey)).size === 1;
  const end = (samePlace(discharge, port) ? announced?.port : announced?.inland) ?? null;
  return [port, ...(isOne ? named : []), ...(end === null || isKnownToDiffer(end, port) ? [] : [end])];
}

/** Of an unknown place, the offset that the carrier reports there, else UTC. */
function zoneOf(places: readonly Place[], port: Place, timeline: readonly CarrierEvent[]): string {
  const zone = places.flatMap((place) => zoneAt(place) ?? [])[0];
  if (zone !== undefined) return zone;
  const reported = timeline.findLast(
    (event) => event.at.offsetMinutes !== null && samePlace(event.place, port),
  );
  return fixedZone(reported?.at.offsetMinutes ?? 0);
}

function fixedZone(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${offsetMinutes < 0 ? "-" : "+"}${part(Math.floor(minutes / 60))}:${part(minutes % 60)}`;
}

function countryOf({ unlocode }: Place, ports: readonly Port[]): string {
  return unlocode?.slice(0, 2) ?? ports[0]?.country ?? "ZZ";
}

function isoCodeOf({ timeline }: DischargedBox): string | null {
  return timeline.find(({ isoCode }) => (isoCode ?? null) !== null)?.isoCode ?? null;
}

/** ISO weekdays, 1 Monday to 7 Sunday, by country, from Unicode's CLDR. */
const weekends = new Map<string, ReadonlySet<number>>();

function weekendOf(country: string): ReadonlySet<number> {
  const known = weekends.get(country);
  if (known !== undefined) return known;
  const weekend = new Set(new Intl.Locale(`und-${country}`).getWeekInfo().weekend);
  weekends.set(country, weekend);
  return weekend;
}

/** Days are `YYYY-MM-DD`. `country` is the port's, two letters. */
export function lastFreeDay(tariff: Tariff, country: string, dischargeDay: string): string {
  const discharged = Temporal.PlainDate.from(dischargeDay);
  const first = tariff.dischargeDayCounts ? discharged : discharged.add({ days: 1 });
  if (tariff.days === "calendar") return first.add({ days: tariff.freeDays - 1 }).toString();
  const weekend = weekendOf(country);
  const holidays = new Set(tariff.holidays);
  const isWorkingDay = (day: Temporal.PlainDate): boolean =>
    !weekend.has(day.dayOfWeek) && !holidays.has(day.toString());
  let day = first.subtract({ days: 1 });
  for (let free = tariff.freeDays; free > 0;) {
    day = day.add({ days: 1 });
    if (isWorkingDay(day)) free -= 1;
  }
  return day.toString();
}

/** Milliseconds since the epoch. */
function endOfDayMs(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
}

/** (spec 8: demurrage_warning) */
const WARNING_DAYS = 3;

/** The beginning of the third day before the last free day, milliseconds since the epoch. */
export function warningMs(lastDay: string, zone: string): number {
  return Temporal.PlainDate.from(lastDay).subtract({ days: WARNING_DAYS }).toZonedDateTime(zone)
    .epochMilliseconds;
}

/** Negative if `to` is earlier. */
function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to).days;
}
