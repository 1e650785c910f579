/**
 * The status of a waybill as a pure function of its timeline (spec 6.4: awb_accepted, awb_in_transit, awb_arrived,
 * awb_available, awb_delivered; 2.6: status).
 */
import { isSameStation } from "../../freight/places/stations.ts";
import { DAY_MS, HOUR_MS } from "../../runtime/durations.ts";
import type { AirEvent, AirStatusCode } from "./timeline/air-event.ts";
import { hasTime, timeOf, isOfDay } from "./timeline/event-order.ts";
import { isDelivery, agreeOnIdentity, isOfPart, sumOfPieces } from "./timeline/parts.ts";
import type { AirTimeline } from "./timeline/timeline.ts";

/** In order of a shipment's life, with their names; the furthest that holds is the status. */
export const AIR_STATUS_NAMES = {
  unknown: "Unknown",
  booked: "Booked",
  accepted: "Accepted",
  in_transit: "In transit",
  arrived: "Arrived",
  available: "Ready for pickup",
  delivered: "Delivered",
} as const;

export type AirStatus = keyof typeof AIR_STATUS_NAMES;

export const AIR_STATUSES = Object.keys(AIR_STATUS_NAMES) as readonly AirStatus[];

/** What the status depends on besides the timeline. */
export type Consignment = {
  /** IATA codes of airports or cities. */
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
};

/** `by`: the event from which on the status holds; null for `unknown`. */
export function statusOf(
  timeline: AirTimeline,
  consignment: Consignment,
  nowMs: number,
): { readonly status: AirStatus; readonly by: AirEvent | null } {
  const actual = timeline.filter(({ planned }) => planned !== true);
  const present = (event: AirEvent): boolean =>
    event.code !== "MAN" || isManifestedThere(event, actual, nowMs);
  // An event without a time counts only if none with a time gives the status.
  const events = [...actual.filter(hasTime), ...actual.filter((event) => !hasTime(event))];
  const counted = events.filter((event) => present(event) && !isReturn(event, consignment));
  for (const status of AIR_STATUSES.toReversed()) {
    if (status === "unknown") break;
    const by = STATUS_RULES[status](status === "booked" ? events : counted, consignment);
    if (by !== undefined) return { status, by };
  }
  return { status: "unknown", by: null };
}

type StatusRule = (events: AirTimeline, consignment: Consignment) => AirEvent | undefined;

/** The event from which on each status holds. */
const STATUS_RULES: { readonly [status in Exclude<AirStatus, "unknown">]: StatusRule } = {
  booked: (events) => events.find(({ code }) => BOOKED_CODES.includes(code)),
  accepted: (events) => events.find(({ code }) => code === "RCS" || code === "RCT"),
  in_transit: (events, consignment) =>
    events.find((event) => event.code === "DEP" || isAtTransitStation(event, consignment)),
  arrived: (events, { destination }) =>
    events.find(
      (event) =>
        isDelivery(event) ||
        (AT_DESTINATION_CODES.includes(event.code) && isSameStation(event.station, destination)),
    ),
  available: (events, consignment) => {
    const notified = events.find(
      ({ code, station }) => code === "NFD" && mayBeAt(station, consignment.destination),
    );
    const cleared = receivedAndCleared(events, consignment);
    return events.find((event) => event === notified || event === cleared);
  },
  delivered: (events, consignment) => deliveredInFull(events, consignment.pieces),
};

const BOOKED_CODES: readonly AirStatusCode[] = ["BKD", "DPU", "DOC", "FOH", "PRE", "MAN"];

const ARRIVAL_CODES: readonly AirStatusCode[] = ["ARR", "RCF"];
/** At the destination, they prove the arrival. */
export const AT_DESTINATION_CODES: readonly AirStatusCode[] = [...ARRIVAL_CODES, "FIW"];

const ARRIVED_CODES: readonly AirStatusCode[] = [...AT_DESTINATION_CODES, "RCT", "TFD"];

/** Events that prove that the cargo is at their station. TRM only announces. */
const PRESENCE_CODES: readonly AirStatusCode[] = [...AT_DESTINATION_CODES, "RCT", "MAN", "FOW", "TFD"];

function isAtTransitStation({ code, station }: AirEvent, { origin, destination }: Consignment): boolean {
  if (!PRESENCE_CODES.includes(code) || station === null || isSameStation(station, origin)) return false;
  // Cargo that has flown has left its origin, even an unknown one.
  return !isSameStation(station, destination) && (origin !== null || ARRIVAL_CODES.includes(code));
}

/** A manifest may be made while the cargo is yet to come: its flight's time has come, or the cargo before it. */
export function isManifestedThere(manifest: AirEvent, events: AirTimeline, nowMs: number): boolean {
  const isHere = ({ code, station, planned }: AirEvent): boolean =>
    planned !== true && ARRIVED_CODES.includes(code) && isSameStation(station, manifest.station);
  return (hasTime(manifest) && timeOf(manifest) <= nowMs) || events.some(isHere);
}

/** Handed out where it was accepted: back to its shipper, and no delivery. */
function isReturn(event: AirEvent, { origin, destination }: Consignment): boolean {
  if (!isDelivery(event) || destination === null || isSameStation(destination, origin)) return false;
  return isSameStation(event.station, origin);
}

/** Some sources omit the station of a notification; it is the destination, where consignees are notified. */
function mayBeAt(station: string | null, place: string | null): boolean {
  return station === null || place === null || isSameStation(station, place);
}

function receivedAndCleared(events: AirTimeline, { destination }: Consignment): AirEvent | undefined {
  const first = (wanted: AirStatusCode): AirEvent | undefined =>
    events.find(({ code, station }) => code === wanted && isSameStation(station, destination));
  const [received, cleared] = [first("RCF"), first("CCD")];
  if (received === undefined || cleared === undefined) return undefined;
  return events.indexOf(cleared) > events.indexOf(received) ? cleared : received;
}

/**
 * The delivery that completes the whole (spec 6.4: awb_delivered). The driver may bring to the door (`DDL`) what the
 * airport handed him (`DLV`), so that pieces of both codes may be the same.
 */
function deliveredInFull(events: AirTimeline, pieces: number | null): AirEvent | undefined {
  const deliveries = events.filter(isDelivery);
  const whole = deliveries.find((delivery) => !isOfPart(delivery, pieces));
  if (whole !== undefined) return whole;
  const total = pieces ?? Math.max(...deliveries.map(({ totalPieces }) => totalPieces ?? 0));
  if (total <= 0 || total > PIECES_MAX || sumOfPieces(deliveries) < total) return undefined;
  const complete = completeAfter(deliveries, total);
  return complete.at(-1) === true ? deliveries[complete.indexOf(true)] : undefined;
}

/** No shipment in parts has more; a set of sums has a bit for each. */
const PIECES_MAX = 1_000_000;

/**
 * After each delivery: whether the parts so far are the whole. What came to the door may be of the pieces of the
 * airport if some of one add up to some of the other. Bit n of a set of sums is set if some of its parts add up to n.
 */
function completeAfter(deliveries: AirTimeline, total: number): readonly boolean[] {
  const mask = (1n << BigInt(total + 1)) - 1n;
  const handedOn = partsHandedOn(deliveries);
  let [ofAirport, ofDoor, sum] = [1n, 1n, 0];
  return deliveries.map((delivery) => {
    const pieces = delivery.pieces ?? 0;
    const shift = BigInt(Math.min(pieces, total + 1));
    const added = (sums: bigint): bigint => (sums | (sums << shift)) & mask;
    sum += pieces;
    if (handedOn.has(delivery) && isOfAirport(delivery)) ofAirport = added(ofAirport);
    else if (handedOn.has(delivery)) ofDoor = added(ofDoor);
    const excess = sum - total;
    return excess >= 0 && (ofAirport & ofDoor) >> BigInt(excess + 1) === 0n;
  });
}

/** Said so much later, a delivery of the airport is not one to the door whose code was put right. */
const CODE_CORRECTED_MS_MAX = 3 * HOUR_MS;

/** Those of the airport before the last to the door, and those to the door after the first of the airport. */
function partsHandedOn(deliveries: AirTimeline): ReadonlySet<AirEvent> {
  const [airport, door] = [deliveries.filter(isOfAirport), deliveries.filter((one) => !isOfAirport(one))];
  const untilMs = Math.max(...door.map(latestMsOf)) + CODE_CORRECTED_MS_MAX;
  const fromMs = Math.min(...airport.map(timeOf)) - CODE_CORRECTED_MS_MAX;
  const bySize = Map.groupBy(airport, ({ pieces }) => pieces);
  const isOther = (one: AirEvent): boolean => {
    const alike = bySize.get(one.pieces) ?? [];
    return alike.length > 0 && !alike.some((other) => agreeOnIdentity(one, other));
  };
  return new Set([
    ...airport.filter((one) => timeOf(one) < untilMs),
    ...door.filter((one) => latestMsOf(one) > fromMs && !isOther(one)),
  ]);
}

function latestMsOf(event: AirEvent): number {
  return hasTime(event) ? timeOf(event) + (isOfDay(event) ? DAY_MS : 0) : Number.POSITIVE_INFINITY;
}

function isOfAirport({ code }: AirEvent): boolean {
  return code === "DLV";
}
