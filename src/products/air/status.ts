/** The status of a waybill (spec 6.4) as one pure function of its timeline. */
import type { AirEvent, AirStatusCode } from "./timeline/air-event.ts";
import { hasTime } from "./timeline/event-order.ts";
import { isOfPart, sumOfPieces, type AirTimeline } from "./timeline/timeline.ts";

/** In the order of a shipment's life; the furthest that holds is the status. */
export const AIR_STATUSES = [
  "unknown",
  "booked",
  "accepted",
  "in_transit",
  "arrived",
  "available",
  "delivered",
] as const;

export type AirStatus = (typeof AIR_STATUSES)[number];

/** What the status depends on besides the timeline. */
export type Consignment = {
  /** IATA airport codes. */
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
};

/** A status, and the event that brought it about; null for `unknown`. */
export type DerivedStatus = { readonly status: AirStatus; readonly by: AirEvent | null };

export function statusOf(timeline: AirTimeline, consignment: Consignment): DerivedStatus {
  const made = timeline.filter(({ planned }) => planned !== true);
  // One without a time brings a status about only where none with a time does.
  const happened = [...made.filter(hasTime), ...made.filter((event) => !hasTime(event))];
  for (const status of AIR_STATUSES.toReversed()) {
    if (status === "unknown") break;
    const by = STATUS_RULES[status](happened, consignment);
    if (by !== undefined) return { status, by };
  }
  return { status: "unknown", by: null };
}

type StatusRule = (happened: AirTimeline, consignment: Consignment) => AirEvent | undefined;

/** The event from which on each status holds. */
const STATUS_RULES: { readonly [status in Exclude<AirStatus, "unknown">]: StatusRule } = {
  booked: (happened) => happened.find(({ code }) => code === "BKD" || code === "FOH" || code === "PRE"),
  accepted: (happened) => happened.find(({ code }) => code === "RCS" || code === "RCT"),
  in_transit: (happened, consignment) =>
    happened.find((event) => event.code === "DEP" || isAtTransitStation(event, consignment)),
  arrived: (happened, consignment) =>
    happened.find(
      ({ code, station }) => ARRIVAL_CODES.includes(code) && isAt(station, consignment.destination),
    ),
  available: (happened, consignment) => {
    const notified = happened.find(
      ({ code, station }) => code === "NFD" && mayBeAt(station, consignment.destination),
    );
    const cleared = receivedAndCleared(happened, consignment);
    return happened.find((event) => event === notified || event === cleared);
  },
  delivered: (happened, consignment) => deliveredInFull(happened, consignment.pieces),
};

const ARRIVAL_CODES: readonly AirStatusCode[] = ["ARR", "RCF"];

/** What tells that cargo is where the event is. */
const PRESENCE_CODES: readonly AirStatusCode[] = ["ARR", "RCF", "RCT", "MAN", "TRM", "TFD"];

function isAtTransitStation({ code, station }: AirEvent, { origin, destination }: Consignment): boolean {
  if (!PRESENCE_CODES.includes(code) || station === null || station === origin) return false;
  // Where the origin is not known, cargo that has flown has left it all the same.
  return station !== destination && (origin !== null || ARRIVAL_CODES.includes(code));
}

function isAt(station: string | null, place: string | null): boolean {
  return station !== null && station === place;
}

/** Some sources leave the station of a notification out: consignees are notified where the cargo ends. */
function mayBeAt(station: string | null, place: string | null): boolean {
  return station === null || place === null || station === place;
}

function receivedAndCleared(happened: AirTimeline, { destination }: Consignment): AirEvent | undefined {
  const received = happened.find(({ code, station }) => code === "RCF" && isAt(station, destination));
  const cleared = happened.find(({ code, station }) => code === "CCD" && isAt(station, destination));
  if (received === undefined || cleared === undefined) return undefined;
  return happened.indexOf(cleared) > happened.indexOf(received) ? cleared : received;
}

/** The delivery with which the pieces add up to the whole. */
function deliveredInFull(happened: AirTimeline, pieces: number | null): AirEvent | undefined {
  const deliveries = happened.filter(({ code }) => code === "DLV" || code === "DDL");
  return deliveries.find((delivery, index) => {
    if (!isOfPart(delivery, pieces)) return true;
    const total = delivery.totalPieces ?? pieces;
    return total !== null && sumOfPieces(deliveries.slice(0, index + 1)) >= total;
  });
}
