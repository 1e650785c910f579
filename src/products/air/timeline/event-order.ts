/** When events happened, and in which order. */
import { DAY_MS, MINUTE_MS } from "../../../runtime/durations.ts";
import type { AirEvent, AirStatusCode } from "./air-event.ts";

/** Milliseconds of the Unix epoch: of the event, else of its flight; minus infinity without either. */
export function timeOf({ at, departure, arrival }: AirEvent): number {
  return (at ?? departure ?? arrival)?.ms ?? Number.NEGATIVE_INFINITY;
}

export function hasTime(event: AirEvent): boolean {
  return timeOf(event) !== Number.NEGATIVE_INFINITY;
}

/** Messages give minutes, other sources seconds as well. */
export function minuteOf(event: AirEvent): number {
  return Math.floor(timeOf(event) / MINUTE_MS);
}

/** At one time: the order in which cargo is handled along its route. */
const TRANSIT_ORDER: readonly string[] =
  "BKD DPU DOC FOH RCS RCT PRE MAN FOW DEP ARR FIW RCF AWR TRM TFD CRC TGC CCD NFD AWD DLV DDL DIS".split(
    " ",
  );

/** At one station: inbound before outbound. */
const STATION_ORDER: readonly string[] =
  "BKD DPU DOC FOH RCS ARR FIW RCF AWR TRM TFD RCT PRE MAN FOW DEP CRC TGC CCD NFD AWD DLV DDL DIS".split(
    " ",
  );

/** Events without a time come first. */
export function byTime(a: AirEvent, b: AirEvent): number {
  const [first, second] = [timeOf(a), timeOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return byHandling(TRANSIT_ORDER, a, b);
}

function byHandling(order: readonly string[], a: AirEvent, b: AirEvent): number {
  const apart = order.indexOf(a.code) - order.indexOf(b.code);
  if (apart !== 0) return apart;
  return textOf(a) < textOf(b) ? -1 : 1;
}

const TEXTS = new WeakMap<AirEvent, string>();

/** Decides between events that nothing else orders. Events never change: each text is made once, not once a comparison. */
export function textOf(event: AirEvent): string {
  return TEXTS.getOrInsertComputed(event, JSON.stringify);
}

/** Whether the source gives only the day, which is then at its midnight. */
export function isOfDay({ at }: Pick<AirEvent, "at">): boolean {
  return at?.local.endsWith("T00:00:00") ?? false;
}

type PlacedEvent = { readonly event: AirEvent; readonly ms: number };

/** By time; an event that gives only its day is after what must precede it on that day. */
function sortTimed(events: readonly AirEvent[]): readonly AirEvent[] {
  const exact = events
    .filter((event) => !isWithoutTime(event))
    .map((event) => ({ event, ms: timeOf(event) }));
  const days = events.filter(isWithoutTime).toSorted((a, b) => byHandling(STATION_ORDER, a, b));
  if (days.length === 0) return events.toSorted(byTime);
  let placed: readonly PlacedEvent[] = days.map((event) => ({ event, ms: timeOf(event) }));
  // Each pass places one more of a chain, in which the next follows only from the one before.
  for (let pass = 0; pass < DAY_PASSES_MAX; pass += 1) {
    const all = [...exact, ...placed];
    const next = days.map((event) => placeInDay(event, all));
    if (next.every(({ ms }, index) => ms === placed[index]?.ms)) break;
    placed = next;
  }
  const all = [...exact.toSorted((a, b) => byTime(a.event, b.event)), ...placed];
  return all.toSorted((a, b) => a.ms - b.ms).map(({ event }) => event);
}

/** A flight may leave at midnight. */
function isWithoutTime(event: AirEvent): boolean {
  return isOfDay(event) && event.departure?.ms !== event.at?.ms;
}

/** Events in a row on one day. */
const DAY_PASSES_MAX = 10;
/** All of them together are less than a millisecond. */
const JUST_AFTER_MS = 0.01;

function placeInDay(event: AirEvent, all: readonly PlacedEvent[]): PlacedEvent {
  const fromMs = timeOf(event);
  const before = all.filter(
    (other) => other.ms >= fromMs && other.ms < fromMs + DAY_MS && mustPrecede(other.event, event),
  );
  return { event, ms: Math.max(fromMs, ...before.map(({ ms }) => ms + JUST_AFTER_MS)) };
}

/** Statuses that plan a flight, whose time is theirs. */
export const FLIGHT_PLAN_CODES: readonly string[] = ["BKD", "PRE", "MAN"];

function mustPrecede(other: AirEvent, event: AirEvent): boolean {
  if (other === event || other.planned === true || event.station === null) return false;
  if (event.code === "BKD") return false;
  if (FLIGHT_PLAN_CODES.includes(other.code) && event.code !== "DEP") return false;
  if (other.station === event.station) {
    return STATION_ORDER.indexOf(other.code) < STATION_ORDER.indexOf(event.code);
  }
  return other.code === "DEP" && other.to === event.station;
}

/** By time; an event without one, such as any TRM, takes its place in the order of handling. */
export function sortEvents(events: readonly AirEvent[]): readonly AirEvent[] {
  const timed = sortTimed(events.filter(hasTime));
  const untimed = events.filter((event) => !hasTime(event));
  if (untimed.length === 0) return timed;
  const sorted = untimed.toSorted((a, b) => byHandling(STATION_ORDER, a, b));
  const byIndex = Map.groupBy(sorted, (event) => insertionIndexOf(event, timed));
  return [...timed, null].flatMap((event, index) => [
    ...(byIndex.get(index) ?? []),
    ...(event === null ? [] : [event]),
  ]);
}

/** The index of the timed event before which it belongs. */
function insertionIndexOf({ code, station }: AirEvent, timed: readonly AirEvent[]): number {
  const isHere = (other: AirEvent): boolean => station !== null && other.station === station;
  const comesAfter = (order: readonly string[], other: AirStatusCode): boolean =>
    order.indexOf(other) > order.indexOf(code);
  if (timed.some(isHere)) {
    const next = timed.findIndex((other) => isHere(other) && comesAfter(STATION_ORDER, other.code));
    if (next === -1) return timed.findLastIndex(isHere) + 1;
    const before = timed.slice(0, next).findLastIndex(isHere);
    return before === -1 ? next : before + 1;
  }
  const inbound = station === null ? -1 : timed.findLastIndex(({ to }) => to === station);
  if (inbound !== -1) return inbound + 1;
  const next = timed.findIndex((other) => comesAfter(TRANSIT_ORDER, other.code));
  return next === -1 ? timed.length : next;
}
