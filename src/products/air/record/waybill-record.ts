/**
 * All that is known of a waybill: what is stored as JSON, and read by clients. Sources send increments, so
 * the record keeps all that was said and is derived from it anew with every statement; the order in which
 * statements come makes no difference.
 */
import type { LocalTime } from "../../../freight/places/local-time.ts";
import type { AirEvent, WaybillStatement } from "../timeline/air-event.ts";
import { timeOf } from "../timeline/event-order.ts";
import { statusOf, type AirStatus } from "../status.ts";
import { timelineOf, type AirTimeline } from "../timeline/timeline.ts";

export type WaybillRecord = {
  /** 11 digits. */
  readonly awb: string;
  readonly status: AirStatus;
  /** What brought the status about; null for `unknown`. */
  readonly statusBy: AirEvent | null;
  /** IATA airport codes. */
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  /** Of the flight that carries or carried the cargo last, such as `LH8160`. */
  readonly flightNumber: string | null;
  /** At the destination. */
  readonly eta: { readonly at: LocalTime; readonly actual: boolean } | null;
  readonly timeline: AirTimeline;
  /** Every event ever said, in an order of its own, each once. */
  readonly said: readonly AirEvent[];
  readonly facts: Facts;
  /** The statuses that clients have been told of, or that held when nobody had asked yet. */
  readonly told: readonly AirStatus[];
};

/** What a statement says of the whole waybill, and the time of its latest event: of each fact the latest counts. */
type Fact<Value> = { readonly value: Value; readonly asOfMs: number } | null;

type Facts = {
  readonly origin: Fact<string>;
  readonly destination: Fact<string>;
  readonly pieces: Fact<number>;
  readonly weightKg: Fact<number>;
};

/** Events kept of one waybill; one flown in ten parts over four airports has some two hundred. */
const EVENTS_MAX = 2_000;

export function nextRecordOfOne(statement: WaybillStatement, previous: WaybillRecord | null): WaybillRecord {
  return nextRecord(statement.awb, [statement], previous);
}

/** The same of many statements, none of them left out, as if they had come one after the other. */
export function nextRecord(
  awb: string,
  statements: readonly WaybillStatement[],
  previous: WaybillRecord | null,
): WaybillRecord {
  const facts = statements.map(factsOf).reduce(mergeFacts, previous?.facts ?? NO_FACTS);
  const said = uniqueEvents([...(previous?.said ?? []), ...statements.flatMap(({ events }) => events)]);
  const pieces = facts.pieces?.value ?? totalPiecesOf(said);
  const timeline = timelineOf(said, pieces);
  const consignment = {
    origin: facts.origin?.value ?? timeline.find(({ code }) => code === "RCS")?.station ?? null,
    destination: facts.destination?.value ?? null,
    pieces,
  };
  const { status, by } = statusOf(timeline, consignment);
  return {
    awb,
    status,
    statusBy: by,
    ...consignment,
    weightKg: facts.weightKg?.value ?? null,
    flightNumber: flightNumberOf(timeline),
    eta: etaOf(timeline, consignment.destination),
    timeline,
    said,
    facts,
    told: previous?.told ?? [],
  };
}

const NO_FACTS: Facts = { origin: null, destination: null, pieces: null, weightKg: null };

function factsOf({ events, origin, destination, pieces, weightKg }: WaybillStatement): Facts {
  const asOfMs = events.reduce((latest, event) => Math.max(latest, timeOf(event)), -1);
  const fact = <Value>(value: Value | null): Fact<Value> => (value === null ? null : { value, asOfMs });
  return {
    origin: fact(origin),
    destination: fact(destination),
    pieces: fact(pieces),
    weightKg: fact(weightKg),
  };
}

/** Each fact as said last; what a later statement leaves out stands. */
function mergeFacts(a: Facts, b: Facts): Facts {
  return {
    origin: newer(a.origin, b.origin),
    destination: newer(a.destination, b.destination),
    pieces: newer(a.pieces, b.pieces),
    weightKg: newer(a.weightKg, b.weightKg),
  };
}

/** Of two said of the same moment the value decides, never which came first. */
function newer<Value extends string | number>(a: Fact<Value>, b: Fact<Value>): Fact<Value> {
  if (a === null || b === null) return a ?? b;
  if (a.asOfMs !== b.asOfMs) return a.asOfMs > b.asOfMs ? a : b;
  return a.value > b.value ? a : b;
}

/** The whole, where only events of its parts tell it. */
function totalPiecesOf(said: readonly AirEvent[]): number | null {
  const totals = said.flatMap(({ totalPieces }) => totalPieces ?? []);
  return totals.length === 0 ? null : Math.max(...totals);
}

function uniqueEvents(events: readonly AirEvent[]): readonly AirEvent[] {
  const byText = new Map(events.map((event) => [JSON.stringify(event), event]));
  const texts = [...byText.keys()].toSorted();
  return texts.slice(0, EVENTS_MAX).map((text) => byText.get(text)!);
}

/** Cargo is on the flight it left or came by last, before that on the one it is booked on first. */
function flightNumberOf(timeline: AirTimeline): string | null {
  const flown = timeline.findLast(
    (event) => FLIGHT_CODES.includes(event.code) && event.flight !== null && !event.planned,
  );
  const booked = timeline.find((event) => event.flight !== null);
  const flight = (flown ?? booked)?.flight ?? null;
  return flight === null ? null : flight.carrier + flight.number;
}

const FLIGHT_CODES: readonly AirEvent["code"][] = ["MAN", "DEP", "ARR", "RCF"];

/** The arrival at the destination as it happened, else as the latest flight there announces it. */
function etaOf(timeline: AirTimeline, destination: string | null): WaybillRecord["eta"] {
  if (destination === null) return null;
  const arrived = timeline.find(({ code, station, planned }) => {
    return planned !== true && (code === "ARR" || code === "RCF") && station === destination;
  });
  const reached = arrived?.at ?? arrived?.arrival ?? null;
  if (reached !== null) return { at: reached, actual: true };
  const leg = timeline.findLast(({ to, arrival }) => to === destination && arrival !== null);
  if (leg?.arrival) return { at: leg.arrival, actual: false };
  const planned = timeline.findLast(({ code, station, at }) => {
    return (code === "ARR" || code === "RCF") && station === destination && at !== null;
  });
  return planned?.at ? { at: planned.at, actual: false } : null;
}

/** A record as it was stored. */
export function readWaybillRecord(stored: string): WaybillRecord {
  return JSON.parse(stored) as WaybillRecord;
}
