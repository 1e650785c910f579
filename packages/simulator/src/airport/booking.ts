/** The flights on which a waybill is booked: at first some of them are others, or go by another station. */
import { randomDurationMs } from "../world/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { flightAfter, type Flight } from "./flights.ts";
import { addMilestone, type Journey, type MilestoneFields } from "./milestone.ts";
import { STATION_CODES, type Station } from "./stations.ts";
import type { Waybill } from "./waybill.ts";

/** Whose flight is booked in place of another's. */
const OTHER_CARRIER = "9Q";

/** `acceptedMs`: from then on the number of pieces and their weight are known. */
export type BookedLeg = { readonly leg: number; readonly flight: Flight; readonly acceptedMs: number };

/** What is booked for a leg, and what was booked for it before. */
export function bookLeg(seed: number, journey: Journey, { leg, flight, acceptedMs }: BookedLeg): void {
  const { waybill, draws } = journey;
  const firstMs = waybill.bookedMs + leg * MINUTE_MS;
  if (leg === 0 && isRerouted(journey)) {
    const revokedMs = acceptedMs + randomDurationMs(draws, 0.5, 2);
    bookDetour(seed, journey, firstMs, revokedMs);
    return book(journey, flight, revokedMs, acceptedMs);
  }
  const leavesMs = flight.scheduled.departureMs;
  const rebookedMs = Math.max(firstMs + HOUR_MS, leavesMs - randomDurationMs(draws, 6, 30));
  const [isFirst, isLast] = [leg === 0, leg === waybill.carriers.length - 1];
  // Neither before the leg before it, nor after the next one.
  const isLater = isLast && (!isFirst || draws.chance(0.5));
  const aroundMs = leavesMs + draws.integer(2, 40) * (isLater ? HOUR_MS : -HOUR_MS) - (isLater ? 0 : DAY_MS);
  if (!draws.chance(0.12) || (!isFirst && !isLast) || aroundMs < firstMs) {
    return book(journey, flight, firstMs, acceptedMs);
  }
  const replaced = flightAfter(seed, OTHER_CARRIER, flight.from, flight.to, aroundMs);
  const isToAndFro = draws.chance(0.4);
  if (isToAndFro) book(journey, flight, firstMs, acceptedMs, firstMs + 20 * MINUTE_MS);
  const replacedMs = isToAndFro ? firstMs + 20 * MINUTE_MS : firstMs;
  if (!isToAndFro && draws.chance(0.25) && waybill.bookedPieces > 1 && replacedMs < acceptedMs) {
    bookParts(seed, journey, replaced, replacedMs, rebookedMs);
  } else book(journey, replaced, replacedMs, acceptedMs, rebookedMs);
  book(journey, flight, rebookedMs, acceptedMs);
}

/** Half of it on that flight, at once with the other half on the next one. */
function bookParts(seed: number, journey: Journey, first: Flight, knownMs: number, revokedMs: number): void {
  const { carrier, from, to, scheduled } = first;
  const second = flightAfter(seed, carrier, from, to, scheduled.departureMs + MINUTE_MS);
  const thought = asBooked(journey.waybill);
  const half = Math.ceil(thought.pieces / 2);
  const parts = [
    { flight: first, pieces: half, isWithBefore: false },
    { flight: second, pieces: thought.pieces - half, isWithBefore: true },
  ];
  for (const { flight, ...part } of parts) {
    addMilestone(journey, "BKD", { ...bookingOf(flight, knownMs), ...thought, ...part, revokedMs });
  }
}

/**
 * By messages alone, nothing tells that a booking of one station replaces that of another: only an airline that can be
 * asked takes it back.
 */
function isRerouted({ waybill: { airline, route }, draws }: Journey): boolean {
  const canRevoke = airline.protocol !== "fsu" && !airline.alsoPushes && airline.answers === "history";
  return draws.chance(0.2) && canRevoke && route.length === 2;
}

function bookDetour(seed: number, journey: Journey, firstMs: number, revokedMs: number): void {
  const { waybill, draws } = journey;
  const [origin, destination] = waybill.route as readonly [Station, Station];
  const via = draws.pick(STATION_CODES.filter((station) => !waybill.route.includes(station)));
  const { iata } = waybill.airline;
  const inbound = flightAfter(seed, iata, origin, via, revokedMs);
  const outbound = flightAfter(seed, iata, via, destination, inbound.scheduled.arrivalMs + 6 * HOUR_MS);
  book(journey, inbound, firstMs, revokedMs, revokedMs);
  book(journey, outbound, firstMs + MINUTE_MS, revokedMs, revokedMs);
}

/** All that the waybill has, as it is thought then. */
function book(
  journey: Journey,
  flight: Flight,
  knownMs: number,
  acceptedMs: number,
  revokedMs: number | null = null,
): void {
  const { waybill } = journey;
  const thought = knownMs < acceptedMs ? asBooked(waybill) : { pieces: waybill.pieces };
  const isOfCity = flight.carrier === OTHER_CARRIER && journey.draws.chance(0.4);
  addMilestone(journey, "BKD", { ...bookingOf(flight, knownMs), ...thought, isOfCity, revokedMs });
}

/** Known when it is made; its time is the flight's. */
export function bookingOf(flight: Flight, knownMs: number): Omit<MilestoneFields, "pieces"> {
  return { station: flight.from, atMs: flight.scheduled.departureMs, knownMs, flight };
}

/** Before the cargo is accepted, nobody has counted or weighed it. */
export function asBooked({ bookedPieces, bookedWeightKg }: Waybill) {
  return { pieces: bookedPieces, totalPieces: bookedPieces, totalWeightKg: bookedWeightKg };
}
