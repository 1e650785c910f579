/**
 * All that is known of a waybill, stored as JSON. Sources send increments, so the record keeps all events ever
 * reported, each with when it was said first, and is derived from them again with every statement.
 */
import { statusOf, type AirStatus } from "../status.ts";
import type { AirEvent, WaybillStatement } from "../timeline/air-event.ts";
import { timelineOf, type AirTimeline } from "../timeline/timeline.ts";
import { factsBefore, factsOf, ingestFacts, type AnsweredFacts, type FactsBefore } from "./facts.ts";
import { etaOf, flightNumberOf, type Eta } from "./flight.ts";
import { legsOf, type Leg } from "./legs.ts";
import { ingest, isAhead, type SaidEvent } from "./said.ts";

export type WaybillRecord = {
  /** 11 digits. */
  readonly awb: string;
  readonly status: AirStatus;
  /** The event from which on the status holds; null for `unknown`. */
  readonly statusBy: AirEvent | null;
  /** IATA codes of airports or cities. */
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  /** Of the flight that carries or last carried the cargo, such as `LH8160` (spec 2.6: flight_number). */
  readonly flightNumber: string | null;
  /** At the destination (spec 2.6: eta, eta_is_actual). */
  readonly eta: Eta;
  /** Its flights; absent in a record stored before. */
  readonly legs?: readonly Leg[];
  readonly timeline: AirTimeline;
  /** Every event ever reported and not withdrawn, once, in the order of receipt. */
  readonly said: readonly SaidEvent[];
  readonly answered: AnsweredFacts;
  /** Statuses that were raised, or reached before the first record. */
  readonly told: readonly AirStatus[];
};

/** `nowMs`: what is dated long after it was said and after this has not happened yet. */
export function nextRecord(
  awb: string,
  statements: readonly WaybillStatement[],
  previous: WaybillRecord | null,
  nowMs: number,
): WaybillRecord {
  const said = ingest(previous?.said ?? [], statements);
  const answered = ingestFacts(previous?.answered ?? {}, statements, said);
  const facts = factsOf(said, answered);
  const pieces = facts.pieces ?? totalPiecesOf(said);
  const happened = said.filter((event) => !isAhead(event, nowMs)).map(({ about: _, ...event }) => event);
  const timeline = timelineOf(happened, pieces);
  const consignment = {
    origin: facts.origin ?? timeline.find(({ code }) => code === "RCS")?.station ?? null,
    destination: facts.destination,
    pieces,
  };
  const { status, by } = statusOf(timeline, consignment, nowMs);
  return {
    awb,
    status,
    statusBy: by === null ? null : withoutSaying(by),
    ...consignment,
    weightKg: facts.weightKg,
    flightNumber: flightNumberOf(timeline, pieces, nowMs),
    eta: etaOf(timeline, consignment.destination, pieces),
    legs: legsOf(timeline, pieces),
    timeline: timeline.map(withoutSaying),
    said,
    answered,
    told: previous?.told ?? [],
  };
}

/** `said` keeps it. */
function withoutSaying({ said: _, copy: __, ...event }: AirEvent): AirEvent {
  return event;
}

/** As events of parts give it. */
function totalPiecesOf(said: readonly AirEvent[]): number | null {
  const totals = said.flatMap(({ totalPieces }) => totalPieces ?? []);
  return totals.length === 0 ? null : Math.max(...totals);
}

/** A record stored before the order of receipt was kept: what it says counts as said at once, at first. */
type RecordBefore = Omit<WaybillRecord, "answered"> & { readonly facts: FactsBefore };

export function readWaybillRecord(stored: string): WaybillRecord {
  const read = JSON.parse(stored) as WaybillRecord | RecordBefore;
  if (!("facts" in read)) return read;
  const { facts, ...record } = read;
  const isInHand = record.status !== "unknown" && record.status !== "booked";
  return { ...record, answered: factsBefore(facts, isInHand) };
}
