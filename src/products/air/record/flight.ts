/** The flight of the cargo and its arrival at the destination (spec 2.6: flight_number, eta, eta_is_actual). */
import type { LocalTime } from "../../../freight/places/local-time.ts";
import { isSameStation } from "../../../freight/places/stations.ts";
import type { AirEvent } from "../timeline/air-event.ts";
import { isOfPart, saidMs } from "../timeline/parts.ts";
import type { AirTimeline } from "../timeline/timeline.ts";

const ARRIVAL_CODES: readonly string[] = ["ARR", "FIW", "RCF"];
const FLOWN_CODES: readonly string[] = ["DEP", ...ARRIVAL_CODES];
const BOOKING_CODES: readonly string[] = ["BKD", "PRE", "MAN"];

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
 * Each station's bookings, manifests and plans that a later booking does not replace: those said since the last one of
 * the whole. A re-booking of a part leaves the booking of the rest.
 */
function currentBookings(timeline: AirTimeline, pieces: number | null): readonly AirEvent[] {
  const booked = timeline.filter(
    ({ code, flight, planned }) =>
      flight !== null && (BOOKING_CODES.includes(code) || (planned === true && code === "DEP")),
  );
  return [...Map.groupBy(booked, ({ from, station }) => from ?? station).values()].flatMap((ofStation) => {
    const ofWhole = ofStation.filter((event) => !isOfPart(event, pieces));
    const sinceMs = Math.max(...ofWhole.map(saidMs));
    return ofStation.filter((event) => saidMs(event) >= sinceMs);
  });
}

export type Eta = { readonly at: LocalTime; readonly actual: boolean } | null;

/** The actual arrival at the destination, else what the last departure announces, else the bookings. */
export function etaOf(timeline: AirTimeline, destination: string | null, pieces: number | null): Eta {
  if (destination === null) return null;
  const arrivals = timeline.filter(
    ({ code, station }) => ARRIVAL_CODES.includes(code) && isSameStation(station, destination),
  );
  const reached = firstArrival(arrivals.filter(({ planned }) => planned !== true));
  if (reached !== null) return { at: reached, actual: true };
  const toDestination = ({ to, arrival }: AirEvent): boolean =>
    arrival !== null && isSameStation(to, destination);
  const leg =
    timeline.findLast((event) => event.code === "DEP" && !event.planned && toDestination(event)) ??
    currentBookings(timeline, pieces).findLast(toDestination) ??
    lastSaid(timeline.filter(toDestination));
  if (leg?.arrival) return { at: leg.arrival, actual: false };
  const planned = lastSaid(arrivals.filter(({ at }) => at !== null));
  return planned?.at ? { at: planned.at, actual: false } : null;
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
