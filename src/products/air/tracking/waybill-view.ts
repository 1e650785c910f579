/** A waybill as clients see it (spec 2.6). */
import type { AirEvent } from "../timeline/air-event.ts";
import { eventNameOf } from "../timeline/event-names.ts";
import type { AirStatus } from "../status.ts";
import type { WaybillRecord } from "../record/waybill-record.ts";

/** Null: not known yet. */
export type WaybillView = {
  /** Eleven digits. */
  readonly awb: string;
  readonly airline_iata: string | null;
  readonly airline_name: string | null;
  readonly status: string;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weight_kg: number | null;
  readonly flight_number: string | null;
  readonly eta: string | null;
  readonly eta_is_actual: boolean;
  readonly events: readonly WaybillEventView[];
};

export type WaybillEventView = {
  readonly code: string;
  readonly name: string;
  readonly station: string | null;
  readonly at: string | null;
};

export type AirlineNames = { readonly iata: string; readonly name: string };

const STATUSES: Readonly<Record<AirStatus, string>> = {
  unknown: "Unknown",
  booked: "Booked",
  accepted: "Accepted",
  in_transit: "In transit",
  arrived: "Arrived",
  available: "Ready for pickup",
  delivered: "Delivered",
};

/** Until there was a first look. */
const PENDING = "Pending";

export const STATUS_NAMES: readonly string[] = [PENDING, ...Object.values(STATUSES)];

export function waybillView(
  awb: string,
  airline: AirlineNames | null,
  record: WaybillRecord | null,
): WaybillView {
  const eta = record?.eta ?? null;
  return {
    awb,
    airline_iata: airline?.iata ?? null,
    airline_name: airline?.name ?? null,
    status: record === null ? PENDING : STATUSES[record.status],
    origin: record?.origin ?? null,
    destination: record?.destination ?? null,
    pieces: record?.pieces ?? null,
    weight_kg: record?.weightKg ?? null,
    flight_number: record?.flightNumber ?? null,
    eta: eta === null ? null : new Date(eta.at.ms).toISOString(),
    eta_is_actual: eta?.actual ?? false,
    events: (record?.timeline ?? []).filter(({ planned }) => planned !== true).map(eventView),
  };
}

function eventView(event: AirEvent): WaybillEventView {
  const { code, station, at, departure, arrival } = event;
  const when = at ?? departure ?? arrival;
  return {
    code,
    name: eventNameOf(event),
    station,
    at: when === null ? null : new Date(when.ms).toISOString(),
  };
}
