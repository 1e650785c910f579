/**
 * When the whole is delivered (spec 6.4: awb_delivered). The driver may bring to the door (`DDL`) what the airport
 * handed him (`DLV`), so that pieces of both codes may be the same.
 */
import { DAY_MS, HOUR_MS } from "../../runtime/durations.ts";
import type { AirEvent } from "./timeline/air-event.ts";
import { hasTime, isOfDay, timeOf } from "./timeline/event-order.ts";
import { agreeOnIdentity, isDelivery, isOfPart, sumOfPieces } from "./timeline/parts.ts";
import type { AirTimeline } from "./timeline/timeline.ts";

/** The delivery that completes the whole, without pieces that may have been counted before. */
export function deliveredInFull(events: AirTimeline, pieces: number | null): AirEvent | undefined {
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
