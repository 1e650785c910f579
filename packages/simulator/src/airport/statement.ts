/** What an airline says → as a statement, which the writers put into the words of its source. */
import { DAY_MS } from "../world/durations.ts";
import type { AirEvent, LocalTime, WaybillStatement } from "./air-event.ts";
import type { Milestone } from "./milestone.ts";
import { localAt, offsetMinutesAt, STATIONS, type Station } from "./stations.ts";
import type { Report } from "./reporting.ts";
import type { Waybill } from "./waybill.ts";

export function statementOf(
  { awb, route, weightKg, pieces }: Waybill,
  sayings: readonly Report[],
): WaybillStatement {
  const totalPieces = sayings.at(-1)?.milestone.totalPieces ?? pieces;
  return {
    awb,
    origin: route[0] ?? null,
    destination: route.at(-1) ?? null,
    pieces: totalPieces,
    weightKg,
    events: sayings.map((saying) => {
      const event = eventCache.get(saying) ?? eventOf(saying, weightKg / pieces);
      eventCache.set(saying, event);
      return event;
    }),
  };
}

/** Most answers say what the one before them said, and some more. */
const eventCache = new WeakMap<Report, AirEvent>();

const WITHOUT_FLIGHT = {
  flight: null,
  from: null,
  to: null,
  departure: null,
  departureIs: null,
  arrival: null,
  arrivalIs: null,
} as const;

function eventOf({ milestone, planned, remark }: Report, kgAPiece: number): AirEvent {
  const { code, station, atMs, pieces, totalPieces, transfer, discrepancy, party } = milestone;
  const isPart = pieces < totalPieces;
  return {
    ...WITHOUT_FLIGHT,
    code,
    station,
    at: code === "TRM" ? null : timeAt(station, atMs),
    timeIs: planned ? "estimated" : "actual",
    ...(planned ? { planned: true } : {}),
    ...flightOf(milestone),
    pieces,
    weightKg: Math.round(pieces * kgAPiece * 10) / 10,
    shipmentPart: isPart ? "part" : "total",
    totalPieces,
    party,
    transfer: transfer === null ? null : { ...transfer, manifest: code === "TFD" ? "123456" : null },
    discrepancy,
    remarks: remark === null ? [] : [remark],
    volumeM3: null,
    densityGroup: null,
    customs: [],
    ulds: [],
  };
}

export function timeAt(station: Station, ms: number): LocalTime {
  const local = localAt(station, ms);
  return { ms, local, offsetMinutes: offsetMinutesAt(station, ms), timeZone: STATIONS[station] };
}

/** Before a flight its schedule is told, behind it what came of it. */
function flightOf({ code, flight, atMs }: Milestone): Partial<AirEvent> {
  if (flight === null) return {};
  const { carrier, number, date, from, to, scheduled, actual } = flight;
  const ofFlight = { flight: { carrier, number, date }, from, to };
  switch (code) {
    case "DEP": {
      const arrival = timeAt(to, scheduled.arrivalMs + atMs - scheduled.departureMs);
      const departure = timeAt(from, atMs);
      return { ...ofFlight, departure, departureIs: "actual", arrival, arrivalIs: "estimated" };
    }
    case "BKD":
    case "PRE":
    case "MAN": {
      const departure = timeAt(from, scheduled.departureMs);
      const arrival = timeAt(to, scheduled.arrivalMs);
      return { ...ofFlight, departure, departureIs: "scheduled", arrival, arrivalIs: "scheduled" };
    }
    case "ARR":
    case "RCF": {
      const arrivalMs = code === "ARR" ? atMs : actual.arrivalMs;
      // Messages count days only from the one before.
      if (atMs - arrivalMs > DAY_MS / 2) return ofFlight;
      return { ...ofFlight, arrival: timeAt(to, arrivalMs), arrivalIs: "actual" };
    }
    default:
      return ofFlight;
  }
}
