/**
 * All that is known of a waybill, stored as JSON. Sources send increments, so the record keeps all events ever
 * reported and is derived from them again with every statement, in whatever order statements come.
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
  /** The event from which on the status holds; null for `unknown`. */
  readonly statusBy: AirEvent | null;
  /** IATA airport codes. */
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  /** Of the flight that carries or last carried the cargo, such as `LH8160` (spec 2.6: flight_number). */
  readonly flightNumber: string | null;
  /** At the destination (spec 2.6: eta, eta_is_actual). */
  readonly eta: { readonly at: LocalTime; readonly actual: boolean } | null;
  readonly timeline: AirTimeline;
  /** Every event ever reported, once, in order of its text. */
  readonly said: readonly AirEvent[];
  readonly facts: Facts;
  /** Statuses that were raised, or reached before the first record. */
  readonly told: readonly AirStatus[];
};

/** Of the whole waybill, as of the latest event of its statement; the latest fact counts. */
type Fact<Value> = { readonly value: Value; readonly asOfMs: number } | null;

type Facts = {
  readonly origin: Fact<string>;
  readonly destination: Fact<string>;
  readonly pieces: Fact<number>;
  readonly weightKg: Fact<number>;
};

/** Events kept of one waybill; one flown in ten parts over four airports has some two hundred. */
const EVENTS_MAX = 2_000;

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

function mergeFacts(a: Facts, b: Facts): Facts {
  return {
    origin: newer(a.origin, b.origin),
    destination: newer(a.destination, b.destination),
    pieces: newer(a.pieces, b.pieces),
    weightKg: newer(a.weightKg, b.weightKg),
  };
}

/** The value decides between facts of one time, never the order of arrival. */
function newer<Value extends string | number>(a: Fact<Value>, b: Fact<Value>): Fact<Value> {
  if (a === null || b === null) return a ?? b;
  if (a.asOfMs !== b.asOfMs) return a.asOfMs > b.asOfMs ? a : b;
  return a.value > b.value ? a : b;
}

/** As events of parts give it. */
function totalPiecesOf(said: readonly AirEvent[]): number | null {
  const totals = said.flatMap(({ totalPieces }) => totalPieces ?? []);
  return totals.length === 0 ? null : Math.max(...totals);
}

function uniqueEvents(events: readonly AirEvent[]): readonly AirEvent[] {
  const byText = new Map(events.map((event) => [JSON.stringify(event), event]));
  const texts = [...byText.keys()].toSorted();
  return texts.slice(0, EVENTS_MAX).map((text) => byText.get(text)!);
}

/** The flight that the cargo last left or came by; before that, the first one booked. */
function flightNumberOf(timeline: AirTimeline): string | null {
  const flown = timeline.findLast(
    (event) => FLIGHT_CODES.includes(event.code) && event.flight !== null && !event.planned,
  );
  const booked = timeline.find((event) => event.flight !== null);
  const flight = (flown ?? booked)?.flight ?? null;
  return flight === null ? null : flight.carrier + flight.number;
}

const FLIGHT_CODES: readonly AirEvent["code"][] = ["MAN", "DEP", "ARR", "RCF"];

/** The actual arrival at the destination, else the one that the latest flight there announces. */
function etaOf(timeline: AirTimeline, destination: string | null): WaybillRecord["eta"] {
  if (destination === null) return null;
  const arrivals = timeline.filter(
    ({ code, station }) => (code === "ARR" || code === "RCF") && station === destination,
  );
  const arrived = arrivals.find(({ planned }) => planned !== true);
  const reached = arrived?.at ?? arrived?.arrival ?? null;
  if (reached !== null) return { at: reached, actual: true };
  const leg = timeline.findLast(({ to, arrival }) => to === destination && arrival !== null);
  if (leg?.arrival) return { at: leg.arrival, actual: false };
  const planned = arrivals.findLast(({ at }) => at !== null);
  return planned?.at ? { at: planned.at, actual: false } : null;
}

export function readWaybillRecord(stored: string): WaybillRecord {
  return JSON.parse(stored) as WaybillRecord;
}
