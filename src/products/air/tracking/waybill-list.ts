/** An account's waybills, as a list shows them. Nobody is polled. */
import Type, { type Static } from "typebox";

import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import type { PageRequest } from "../../../model/page-request.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../runtime/time-slices.ts";
import { listShipments, type StoredShipment } from "../../../freight/tracking/store/shipments-read.ts";
import { awbOf } from "../../../freight/references/awb.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { AIR_PRODUCT } from "../air-product.ts";
import type { Eta } from "../record/flight.ts";
import { LEG_STATES, legsOf, type Leg } from "../record/legs.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import { resolveAirline } from "../sources/airlines/airlines-file.ts";
import { AIR_STATUS_NAMES, AIR_STATUSES, type AirStatus } from "../status.ts";
import { readWaybillFacts, type WaybillFacts } from "../store/waybills.ts";
import { FLIGHT_PLAN_CODES } from "../timeline/event-order.ts";
import { isOfPart } from "../timeline/parts.ts";
import type { AirTimeline } from "../timeline/timeline.ts";

import { eventView, WaybillEvent, WaybillSchema } from "./waybill-view.ts";

/** As a client writes them. Of an airline that only pushes, a waybill that it has not named yet is pending, and kept as unknown. */
const STORED_STATUSES: Readonly<Record<string, readonly string[]>> = {
  pending: ["pending", "unknown"],
  ...Object.fromEntries(AIR_STATUSES.map((status) => [status, [status]])),
};

export const WAYBILL_STATUSES = Object.keys(STORED_STATUSES);

const { events: _, ...facts } = WaybillSchema.properties;

export const summaryFields = {
  id: Type.String({ format: "uuid" }),
  ...facts,
  is_split: Type.Boolean({ description: "its pieces move, or moved, in parts" }),
  refreshed_at: nullable(UtcDateTime, { description: "when its airline last answered" }),
  created_at: UtcDateTime,
};

const FlightOfWaybill = Type.Object(
  {
    flight_number: Type.String(),
    from: nullable(Type.String()),
    to: nullable(Type.String()),
    state: Type.Enum([...LEG_STATES]),
  },
  { title: "FlightOfWaybill" },
);

export const WaybillSummarySchema = Type.Object(
  {
    ...summaryFields,
    legs: Type.Array(FlightOfWaybill, {
      description: "its flights in their order, but for replaced bookings",
    }),
    last_event: nullable(WaybillEvent),
  },
  { title: "WaybillSummary" },
);

export type WaybillSummary = Static<typeof WaybillSummarySchema>;

export type WaybillPorts = {
  readonly database: Connection;
  readonly clock: Clock;
  readonly airlines: readonly Airline[];
};

export type WaybillFilter = { readonly status: string | null; readonly awb: string | null };

/** Newest first. */
export async function listWaybills(
  { database, clock, airlines }: WaybillPorts,
  cell: Cell,
  accountId: string,
  { status, awb }: WaybillFilter,
  page: PageRequest,
): Promise<readonly WaybillSummary[]> {
  const filter = {
    reference: awb,
    carrier: null,
    statuses: status === null ? null : STORED_STATUSES[status]!,
  };
  const found = await listShipments(database, cell, { product: AIR_PRODUCT, accountId }, filter, page);
  const ids = found.map(({ id }) => id);
  const known = await readWaybillFacts(database, cell, accountId, ids);
  return runInSlices(summariesOf(found, known, airlines), clock);
}

function* summariesOf(
  found: readonly StoredShipment[],
  known: ReadonlyMap<string, WaybillFacts>,
  airlines: readonly Airline[],
): SlicedWork<readonly WaybillSummary[]> {
  const summaries: WaybillSummary[] = [];
  for (const shipment of found) {
    yield;
    summaries.push(summaryOf(shipment, known.get(shipment.id) ?? null, airlines));
  }
  return summaries;
}

function summaryOf(
  { id, reference, status, refreshedAt, createdAt }: StoredShipment,
  stored: WaybillFacts | null,
  airlines: readonly Airline[],
): WaybillSummary {
  // An airline that only pushes has not spoken yet.
  const known = stored?.isSilent === true ? null : stored;
  const timeline = known === null ? [] : (JSON.parse(known.timeline) as AirTimeline);
  const pieces = known?.pieces ?? null;
  const eta = JSON.parse(known?.eta ?? "null") as Eta;
  const legs = (JSON.parse(known?.legs ?? "null") as readonly Leg[] | null) ?? legsOf(timeline, pieces);
  const happened = timeline.filter(({ planned }) => planned !== true);
  // A booking has the time of a flight to come.
  const last = happened.findLast(({ code }) => !FLIGHT_PLAN_CODES.includes(code)) ?? happened.at(-1) ?? null;
  return {
    id,
    ...airlineFields(reference, airlines),
    status: known === null ? "Pending" : AIR_STATUS_NAMES[status as AirStatus],
    origin: known?.origin ?? null,
    destination: known?.destination ?? null,
    pieces,
    weight_kg: known?.weightKg ?? null,
    flight_number: known?.flightNumber ?? null,
    eta: eta === null ? null : new Date(eta.at.ms).toISOString(),
    eta_is_actual: eta?.actual ?? false,
    is_split: isSplit(timeline, pieces),
    refreshed_at: refreshedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    legs: legs
      .filter(({ state }) => state !== "replaced")
      .map(({ flight, from, to, state }) => ({ flight_number: flight, from, to, state })),
    last_event: last === null ? null : eventView(last),
  };
}

function airlineFields(reference: string, airlines: readonly Airline[]) {
  const airline = resolveAirline(airlines, awbOf(reference).prefix);
  return { awb: reference, airline_iata: airline?.iata ?? null, airline_name: airline?.name ?? null };
}

export function isSplit(timeline: AirTimeline, pieces: number | null): boolean {
  return timeline.some((event) => event.planned !== true && isOfPart(event, pieces));
}
