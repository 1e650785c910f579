/**
 * An airline that is heard by two sources tells of one happening in two ways: ONE Record names the flight's
 * date and where it came from, and Cargo-IMP's ARR, RCF and DIS leave that out. What one statement leaves out
 * is taken from another of the same happening, so that both mean the same.
 */
import type { AirEvent } from "./air-event.ts";
import { minuteOf } from "./event-order.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A function of the set of statements: neither their order nor a repeat changes it. */
export function enrichEvents(statements: readonly AirEvent[]): readonly AirEvent[] {
  const byHappening = Map.groupBy(statements, ({ code, planned, station }) =>
    [code, planned === true, station].join(),
  );
  return [...byHappening.values()].flatMap((same) => (same.length === 1 ? same : enrichTogether(same)));
}

function enrichTogether(same: readonly AirEvent[]): readonly AirEvent[] {
  const byFlight = Map.groupBy(same, designatorOf);
  return [...Map.groupBy(same, minuteOf).values()].flatMap((atOnce) => {
    const mostFirst = atOnce.toSorted(byMostComplete);
    return atOnce.map((event) => {
      const twin = mostFirst.find((other) => other !== event && isSameEvent(event, other));
      const full = twin !== undefined && isMoreComplete(twin, event) ? enrich(event, twin) : event;
      return withFlightDate(full, byFlight.get(designatorOf(full)) ?? []);
    });
  });
}

/** A time that was put right is no other happening: the flight's date is the one that all others tell. */
function withFlightDate(event: AirEvent, ofFlight: readonly AirEvent[]): AirEvent {
  if (event.flight === null || event.flight.date !== null) return event;
  const told = ofFlight.filter((other) => other.flight?.date !== null && isOfSameFlight(event, other));
  const ways = new Set(told.map(({ flight, from, to }) => [flight?.date, from, to].join()));
  const [only] = told;
  if (only === undefined || ways.size > 1) return event;
  return { ...event, flight: only.flight, from: event.from ?? only.from, to: event.to ?? only.to };
}

/** Of one minute, code and station: whether nothing tells the two apart. */
function isSameEvent(a: AirEvent, b: AirEvent): boolean {
  return (
    agree(designatorOf(a), designatorOf(b)) &&
    isOfSameFlight(a, b) &&
    agree(a.discrepancy, b.discrepancy) &&
    agree(a.pieces, b.pieces)
  );
}

function isOfSameFlight(a: AirEvent, b: AirEvent): boolean {
  return (
    isNearDate(a.flight?.date ?? null, b.flight?.date ?? null) && agree(a.from, b.from) && agree(a.to, b.to)
  );
}

function agree(a: string | number | null, b: string | number | null): boolean {
  return a === null || b === null || a === b;
}

/** One that leaves after midnight is of the day before by its schedule. */
function isNearDate(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return true;
  return Math.abs(Date.parse(a) - Date.parse(b)) <= DAY_MS;
}

function designatorOf({ flight }: AirEvent): string | null {
  return flight === null ? null : flight.carrier + flight.number;
}

/** What is left is decided by the text, never by which came first. */
function byMostComplete(a: AirEvent, b: AirEvent): number {
  const more = countKnownFields(b) - countKnownFields(a);
  return more === 0 ? (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1) : more;
}

function optionalFieldsOf(event: AirEvent): readonly (string | number | null)[] {
  const { flight, from, to, discrepancy, pieces } = event;
  return [designatorOf(event), flight?.date ?? null, from, to, discrepancy, pieces];
}

function countKnownFields(event: AirEvent): number {
  return optionalFieldsOf(event).filter((value) => value !== null).length;
}

/** Also where it has the earlier date, which is the scheduled one. */
function isMoreComplete(other: AirEvent, event: AirEvent): boolean {
  const mine = optionalFieldsOf(event);
  return (
    optionalFieldsOf(other).some((value, index) => value !== null && mine[index] === null) ||
    isEarlier(other, event)
  );
}

function isEarlier(other: AirEvent, event: AirEvent): boolean {
  const [date, mine] = [other.flight?.date ?? null, event.flight?.date ?? null];
  return date !== null && mine !== null && date < mine;
}

function enrich(event: AirEvent, by: AirEvent): AirEvent {
  const { flight } = event;
  const date = flight?.date ?? null;
  const other = by.flight?.date ?? null;
  const earlier = date === null || (other !== null && other < date) ? other : date;
  const isCounted = event.pieces !== null;
  return {
    ...event,
    flight: flight === null ? by.flight : { ...flight, date: earlier },
    from: event.from ?? by.from,
    to: event.to ?? by.to,
    discrepancy: event.discrepancy ?? by.discrepancy,
    pieces: event.pieces ?? by.pieces,
    shipmentPart: isCounted ? event.shipmentPart : by.shipmentPart,
    totalPieces: event.totalPieces ?? by.totalPieces,
  };
}
