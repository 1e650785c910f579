/** The flight of the cargo and its arrival at the destination (spec 2.6: flight_number, eta, eta_is_actual). */
import type { LocalTime } from "../../../freight/places/local-time.ts";
import { isSameStation } from "../../../freight/places/stations.ts";
import type { AirEvent } from "../timeline/air-event.ts";
import { FLIGHT_PLAN_CODES, isOfDay } from "../timeline/event-order.ts";
import { AT_DESTINATION_CODES } from "../status.ts";
import { isOfPart, saidMs, sumOfPieces } from "../timeline/parts.ts";
import type { AirTimeline } from "../timeline/timeline.ts";

const FLOWN_CODES: readonly string[] = ["DEP", ...AT_DESTINATION_CODES];

/** The flight that the cargo last left or came by, or is manifested on after that; before that, the first one booked. */
export function flightNumberOf(timeline: AirTimeline, pieces: number | null): string | null {
  const current = new Set(currentBookings(timeline, pieces));
  const carrying = timeline.findLast(
    (event) =>
      event.flight !== null &&
      event.planned !== true &&
      (FLOWN_CODES.includes(event.code) || (event.code === "MAN" && current.has(event))),
  );
  const booked =
    timeline.find((event) => current.has(event)) ?? timeline.find(({ flight }) => flight !== null);
  const flight = (carrying ?? booked)?.flight ?? null;
  return flight === null ? null : flight.carrier + flight.number;
}

/**
 * The bookings, manifests and plans that no later booking replaces: of each station, those said since the last one of
 * the whole; and none of a station that the cargo is no longer routed over. A re-booking of a part leaves the booking
 * of the rest.
 */
function currentBookings(timeline: AirTimeline, pieces: number | null): readonly AirEvent[] {
  const booked = timeline.filter(
    ({ code, flight, planned }) =>
      flight !== null && (FLIGHT_PLAN_CODES.includes(code) || (planned === true && code === "DEP")),
  );
  const stations = booked.map(startOf);
  const byStation = Map.groupBy(booked, (event) => stations.find((one) => isOnePlace(one, startOf(event))));
  let current = [...byStation.values()].flatMap((ofStation) => sinceLastOfWhole(ofStation, pieces));
  for (;;) {
    const kept = current.filter((event) => !isRoutedElsewhere(event, booked, current, timeline));
    if (kept.length === current.length) return current;
    current = kept;
  }
}

function startOf({ from, station }: AirEvent): string | null {
  return from ?? station;
}

/** One books from the city, another from its airport. */
function isOnePlace(a: string | null, b: string | null): boolean {
  return a === b || isSameStation(a, b) || isSameStation(b, a);
}

/** Parts that are said at once and add up to the whole are a booking of the whole. */
function sinceLastOfWhole(ofStation: readonly AirEvent[], pieces: number | null): readonly AirEvent[] {
  const isOfWhole = (events: readonly AirEvent[]): boolean =>
    !events.every((event) => isOfPart(event, pieces)) || (pieces !== null && sumOfPieces(events) >= pieces);
  const ofWhole = [...Map.groupBy(ofStation, saidMs)].filter(([, saidAtOnce]) => isOfWhole(saidAtOnce));
  const sinceMs = Math.max(...ofWhole.map(([ms]) => ms));
  return ofStation.filter((event) => saidMs(event) >= sinceMs);
}

/** Whether a replaced booking led to the event's station, and neither a current one nor the cargo does. */
function isRoutedElsewhere(
  event: AirEvent,
  booked: readonly AirEvent[],
  current: readonly AirEvent[],
  timeline: AirTimeline,
): boolean {
  const start = startOf(event);
  const leadsHere = ({ to }: AirEvent): boolean => to !== null && isOnePlace(to, start);
  if (current.some(leadsHere) || !booked.some(leadsHere)) return false;
  return !timeline.some(
    (other) =>
      other.planned !== true &&
      FLOWN_CODES.includes(other.code) &&
      (leadsHere(other) || isOnePlace(other.station, start)),
  );
}

export type Eta = { readonly at: LocalTime; readonly actual: boolean } | null;

/**
 * The first actual arrival at the destination, else what is announced. Of an arrival that names only its day, the time
 * announced for that day is the better one.
 */
export function etaOf(timeline: AirTimeline, destination: string | null, pieces: number | null): Eta {
  if (destination === null) return null;
  const arrivals = timeline.filter(
    ({ code, station }) => AT_DESTINATION_CODES.includes(code) && isSameStation(station, destination),
  );
  const reached = firstArrival(arrivals.filter(({ planned }) => planned !== true));
  if (reached !== null && !isOfDay({ at: reached })) return { at: reached, actual: true };
  const announced = announcedArrivals(timeline, destination, pieces);
  if (reached !== null) {
    const onThatDay = announced.find((at) => dayOf(at) === dayOf(reached) && !isOfDay({ at }));
    return onThatDay === undefined ? { at: reached, actual: true } : { at: onThatDay, actual: false };
  }
  const at = announced[0] ?? lastSaid(arrivals.filter((event) => event.at !== null))?.at ?? null;
  return at === null ? null : { at, actual: false };
}

/** The best first: of the last departure for the destination, else of the bookings. */
function announcedArrivals(
  timeline: AirTimeline,
  destination: string,
  pieces: number | null,
): readonly LocalTime[] {
  const toDestination = ({ to, arrival }: AirEvent): boolean =>
    arrival !== null && isSameStation(to, destination);
  const booked = currentBookings(timeline, pieces).filter(toDestination);
  const legs = [
    ...timeline
      .filter((event) => event.code === "DEP" && !event.planned && toDestination(event))
      .toReversed(),
    ...booked.filter((event) => !isOfPart(event, pieces)).toReversed(),
    ...booked,
    lastSaid(timeline.filter(toDestination)),
  ];
  return legs.flatMap((event) => event?.arrival ?? []);
}

/** Of the first flight to arrive: cargo that is received later may have come earlier. */
function firstArrival(arrivals: AirTimeline): LocalTime | null {
  const times = arrivals.flatMap((event) => arrivalOf(event) ?? []);
  const ms = Math.min(...times.map((time) => time.ms));
  return times.find((time) => time.ms === ms) ?? null;
}

/** A receipt from a flight may name when the flight arrived. */
function arrivalOf({ at, arrival, arrivalIs }: AirEvent): LocalTime | null {
  return arrivalIs === "actual" ? arrival : (at ?? arrival);
}

/** The later in time of those said at once. */
function lastSaid(events: readonly AirEvent[]): AirEvent | undefined {
  const ms = Math.max(...events.map(saidMs));
  return events.findLast((event) => saidMs(event) === ms);
}

function dayOf({ local }: LocalTime): string {
  return local.slice(0, "YYYY-MM-DD".length);
}
