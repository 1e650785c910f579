/**
 * Two sources report one event in two ways: ONE Record names the flight's date and its origin, which Cargo-IMP's ARR,
 * RCF and DIS leave out. Each event takes what it lacks from its duplicate, so that both get the same identity.
 */
import type { AirEvent } from "./air-event.ts";
import { minuteOf, textOf } from "./event-order.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A function of the set of events: neither their order nor a repeat changes the result. */
export function enrichEvents(events: readonly AirEvent[]): readonly AirEvent[] {
  const byKind = Map.groupBy(events, ({ code, planned, station }) =>
    [code, planned === true, station].join(),
  );
  return [...byKind.values()].flatMap((same) => (same.length === 1 ? same : enrichTogether(same)));
}

function enrichTogether(same: readonly AirEvent[]): readonly AirEvent[] {
  const byFlight = Map.groupBy(same, designatorOf);
  return [...Map.groupBy(same, minuteOf).values()].flatMap((atOnce) => {
    const mostCompleteFirst = atOnce.toSorted(byCompleteness);
    return atOnce.map((event) => {
      const duplicate = mostCompleteFirst.find((other) => other !== event && isSameEvent(event, other));
      const full = duplicate !== undefined && adds(duplicate, event) ? enrich(event, duplicate) : event;
      return withFlightDate(full, byFlight.get(designatorOf(full)) ?? []);
    });
  });
}

/** A corrected time has no duplicate: it takes the flight's date if all dated events of the flight agree on it. */
function withFlightDate(event: AirEvent, ofFlight: readonly AirEvent[]): AirEvent {
  if (event.flight === null || event.flight.date !== null) return event;
  const dated = ofFlight.filter((other) => other.flight?.date !== null && isOfSameFlight(event, other));
  const legs = new Set(dated.map(({ flight, from, to }) => [flight?.date, from, to].join()));
  const [only] = dated;
  if (only === undefined || legs.size > 1) return event;
  return { ...event, flight: only.flight, from: event.from ?? only.from, to: event.to ?? only.to };
}

/** Of two events of one minute, code and station: whether no field tells them apart. */
function isSameEvent(a: AirEvent, b: AirEvent): boolean {
  return (
    agree(designatorOf(a), designatorOf(b)) &&
    isOfSameFlight(a, b) &&
    agree(a.discrepancy, b.discrepancy) &&
    agree(a.pieces, b.pieces)
  );
}

function isOfSameFlight(a: AirEvent, b: AirEvent): boolean {
  return isNearDate(dateOf(a), dateOf(b)) && agree(a.from, b.from) && agree(a.to, b.to);
}

function agree(a: string | number | null, b: string | number | null): boolean {
  return a === null || b === null || a === b;
}

/** A flight that leaves after midnight may be scheduled for the day before. */
function isNearDate(a: string | null, b: string | null): boolean {
  return a === null || b === null || Math.abs(Date.parse(a) - Date.parse(b)) <= DAY_MS;
}

function dateOf({ flight }: AirEvent): string | null {
  return flight?.date ?? null;
}

function designatorOf({ flight }: AirEvent): string | null {
  return flight === null ? null : flight.carrier + flight.number;
}

/** The text decides between equals, never the order of arrival. */
function byCompleteness(a: AirEvent, b: AirEvent): number {
  const more = countKnown(b) - countKnown(a);
  return more === 0 ? (textOf(a) < textOf(b) ? -1 : 1) : more;
}

function optionalFieldsOf(event: AirEvent): readonly (string | number | null)[] {
  const { from, to, discrepancy, pieces } = event;
  return [designatorOf(event), dateOf(event), from, to, discrepancy, pieces];
}

function countKnown(event: AirEvent): number {
  return optionalFieldsOf(event).filter((value) => value !== null).length;
}

/** Whether `other` has a field that `event` lacks, or the earlier flight date, which is the scheduled one. */
function adds(other: AirEvent, event: AirEvent): boolean {
  const known = optionalFieldsOf(event);
  return (
    optionalFieldsOf(other).some((value, index) => value !== null && known[index] === null) ||
    earlierDate(event, other) !== dateOf(event)
  );
}

function earlierDate(event: AirEvent, other: AirEvent): string | null {
  const [date, otherDate] = [dateOf(event), dateOf(other)];
  return date === null || (otherDate !== null && otherDate < date) ? otherDate : date;
}

function enrich(event: AirEvent, other: AirEvent): AirEvent {
  const { flight } = event;
  return {
    ...event,
    flight: flight === null ? other.flight : { ...flight, date: earlierDate(event, other) },
    from: event.from ?? other.from,
    to: event.to ?? other.to,
    discrepancy: event.discrepancy ?? other.discrepancy,
    pieces: event.pieces ?? other.pieces,
    shipmentPart: event.pieces === null ? other.shipmentPart : event.shipmentPart,
    totalPieces: event.totalPieces ?? other.totalPieces,
    // A quantity that could not be read is that of the message that corrects it, and no part of its own.
    ...(event.pieces === null && other.copy !== undefined ? { copy: other.copy } : {}),
  };
}
