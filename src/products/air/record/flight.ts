/** The flight of the cargo and its arrival at the destination (spec 2.6: flight_number, eta, eta_is_actual). */
import type { LocalTime } from "../../../freight/places/local-time.ts";
import { codesOfPlace, isSameStation } from "../../../freight/places/stations.ts";
import type { AirEvent } from "../timeline/air-event.ts";
import { FLIGHT_PLAN_CODES, isOfDay } from "../timeline/event-order.ts";
import { AT_DESTINATION_CODES, isManifestedThere } from "../status.ts";
import { isOfPart, saidMs, sumOfPieces } from "../timeline/parts.ts";
import type { AirTimeline } from "../timeline/timeline.ts";

const FLOWN_CODES: readonly string[] = ["DEP", ...AT_DESTINATION_CODES];

/** The flight that the cargo last left or came by, or is manifested on where it is; before that, the first one booked. */
export function flightNumberOf(timeline: AirTimeline, pieces: number | null, nowMs: number): string | null {
  const current = new Set(currentBookings(timeline, pieces));
  const isManifested = (event: AirEvent): boolean =>
    event.code === "MAN" && current.has(event) && isManifestedThere(event, timeline, nowMs);
  const carrying = timeline.findLast(
    (event) =>
      event.flight !== null &&
      event.planned !== true &&
      (FLOWN_CODES.includes(event.code) || isManifested(event)),
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
export function currentBookings(timeline: AirTimeline, pieces: number | null): readonly AirEvent[] {
  const booked = timeline.filter(
    ({ code, flight, planned }) =>
      flight !== null && (FLIGHT_PLAN_CODES.includes(code) || (planned === true && code === "DEP")),
  );
  const starts = booked.map(startOf);
  // One books from the city, another from its airport.
  const firstIndex = new Map(starts.map((start, index) => [start, index] as const).toReversed());
  const placeOf = (start: string | null): number =>
    Math.min(...codesAround(start).map((code) => firstIndex.get(code) ?? Number.POSITIVE_INFINITY));
  const byPlace = Map.groupBy(booked.keys(), (index) => placeOf(starts[index]!));
  const current = [...byPlace.values()].flatMap((indices) =>
    sinceLastOfWhole(
      indices.map((index) => booked[index]!),
      pieces,
    ),
  );
  return withoutFormerRoutes(current, booked, timeline);
}

function startOf({ from, station }: AirEvent): string | null {
  return from ?? station;
}

function codesAround(place: string | null): readonly (string | null)[] {
  return place === null ? [null] : codesOfPlace(place);
}

/** Parts that are said at once and add up to the whole are a booking of the whole. */
function sinceLastOfWhole(ofStation: readonly AirEvent[], pieces: number | null): readonly AirEvent[] {
  const isOfWhole = (events: readonly AirEvent[]): boolean =>
    !events.every((event) => isOfSome(event, pieces)) || (pieces !== null && sumOfPieces(events) >= pieces);
  const sayings = ofStation.flatMap((event) =>
    [...new Set([saidMs(event), event.said?.againMs ?? saidMs(event)])].map((ms) => ({ event, ms })),
  );
  const saidAtOnce = [...Map.groupBy(sayings, ({ ms }) => ms)].toSorted(([a], [b]) => a - b);
  let current = new Set<AirEvent>();
  for (const [, said] of saidAtOnce) {
    const events = said.map(({ event }) => event);
    if (events.every((event) => current.has(event))) continue;
    if (isOfWhole(events)) current = new Set(events);
    else for (const event of events) current.add(event);
  }
  return ofStation.filter((event) => current.has(event));
}

/** What is booked as the whole is the whole, though more pieces are counted later. */
function isOfSome(event: AirEvent, pieces: number | null): boolean {
  return event.shipmentPart !== "total" && isOfPart(event, pieces);
}

/** Without the bookings from where only replaced bookings led, and where the cargo has not come. */
function withoutFormerRoutes(
  current: readonly AirEvent[],
  booked: readonly AirEvent[],
  timeline: AirTimeline,
): readonly AirEvent[] {
  const everLed = new Set(booked.flatMap(({ to }) => to ?? []));
  const reached = new Set(
    timeline
      .filter(({ code, planned }) => planned !== true && FLOWN_CODES.includes(code))
      .flatMap(({ station, to }) => [station, ...(to === null ? [] : [to])]),
  );
  const byStart = Map.groupBy(current, startOf);
  const leading = new Map(
    [...Map.groupBy(current, ({ to }) => to)].map(([to, events]) => [to, events.length] as const),
  );
  const isFormer = (start: string | null): boolean => {
    const codes = codesAround(start);
    const isLedTo = codes.some((code) => code !== null && (leading.get(code) ?? 0) > 0);
    return !isLedTo && codes.some((code) => everLed.has(code!)) && !codes.some((code) => reached.has(code));
  };
  const former = new Set<string | null>();
  // Grows with the stations that lose their last booking.
  const checked = [...byStart.keys()];
  for (const start of checked) {
    if (former.has(start) || !isFormer(start)) continue;
    former.add(start);
    for (const { to } of byStart.get(start)!) {
      leading.set(to, leading.get(to)! - 1);
      if (leading.get(to) === 0) checked.push(...codesAround(to).filter((code) => byStart.has(code)));
    }
  }
  return current.filter((event) => !former.has(startOf(event)));
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
    ...booked.filter((event) => !isOfSome(event, pieces)).toReversed(),
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
