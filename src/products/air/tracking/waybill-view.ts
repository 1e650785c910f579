/**
 * A waybill as clients see it (spec 2.6: awb, airline_iata, airline_name, status, origin, destination, pieces,
 * weight_kg, flight_number, eta, eta_is_actual, events).
 */
import Type, { type Static } from "typebox";

import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import type { WaybillRecord } from "../record/waybill-record.ts";
import { AIR_STATUS_NAMES } from "../status.ts";
import { MILESTONES, type AirEvent } from "../timeline/air-event.ts";

const PENDING = "Pending";

export const STATUS_NAMES: readonly string[] = [PENDING, ...Object.values(AIR_STATUS_NAMES)];

export const Airport = nullable(Type.String({ description: "an airport's IATA code" }));

export const WaybillEvent = Type.Object(
  {
    code: Type.String({ description: "Cargo-IMP's: BKD, RCS, DEP, ARR, RCF, NFD, DLV, DIS …" }),
    name: Type.String({ description: "the name of the code" }),
    station: Airport,
    at: nullable(UtcDateTime),
  },
  { title: "WaybillEvent" },
);

export const WaybillSchema = Type.Object(
  {
    awb: Type.String({ pattern: "^[0-9]{11}$" }),
    airline_iata: nullable(Type.String({ description: "the airline's IATA code" })),
    airline_name: nullable(Type.String()),
    status: Type.Enum([...STATUS_NAMES], {
      description:
        "Pending until the first poll of the airline, or the first message of one that only pushes",
    }),
    origin: Airport,
    destination: Airport,
    pieces: nullable(Type.Integer()),
    weight_kg: nullable(Type.Number()),
    flight_number: nullable(
      Type.String({
        description: "of the flight that carries or last carried the cargo; before that, of the one booked",
      }),
    ),
    eta: nullable(UtcDateTime),
    eta_is_actual: Type.Boolean({ description: "true: the eta is the actual arrival" }),
    events: Type.Array(WaybillEvent, { description: "in order of time" }),
  },
  { title: "Waybill", description: "What is not known yet is null." },
);

export type WaybillView = Static<typeof WaybillSchema>;
export type WaybillEventView = WaybillView["events"][number];

export type AirlineNames = { readonly iata: string; readonly name: string };

/** Whether nobody has said anything, as long as an airline that only pushes has not. */
export function isSilent({ said, answered }: WaybillRecord): boolean {
  return said.length === 0 && Object.keys(answered).length === 0;
}

/** @param awb - eleven digits. */
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
    status: record === null ? PENDING : AIR_STATUS_NAMES[record.status],
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

export function eventView(event: AirEvent): WaybillEventView {
  const { code, station, at, departure, arrival } = event;
  const ms = (at ?? departure ?? arrival)?.ms;
  const isoTime = ms === undefined ? null : new Date(ms).toISOString();
  return { code, name: eventNameOf(event), station, at: isoTime };
}

/** Cargo-IMP's discrepancy codes. */
const DISCREPANCIES: Readonly<Record<string, string>> = {
  DFLD: "definitely loaded",
  FDAV: "found mail documents",
  FDAW: "found air waybill",
  FDCA: "found cargo",
  FDMB: "found mailbag",
  MSAV: "missing mail documents",
  MSAW: "missing air waybill",
  MSCA: "missing cargo",
  MSMB: "missing mailbag",
  OFLD: "offloaded",
  OVCD: "overcarried",
  SSPD: "short-shipped",
};

export function eventNameOf({ code, discrepancy }: AirEvent): string {
  const name = MILESTONES[code];
  if (discrepancy === null) return name;
  return `${name}: ${DISCREPANCIES[discrepancy] ?? discrepancy}`;
}
