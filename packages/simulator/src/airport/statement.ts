/** What an airline reports → a statement, which a writer puts into the form of its source. */
import { DAY_MS } from "../world/durations.ts";
import type { AirEvent, LocalTime, WaybillStatement } from "./air-event.ts";
import type { Flight } from "./flights.ts";
import { CITIES, localAt, offsetMinutesAt, STATIONS, type Station } from "./stations.ts";
import type { Report } from "./reporting.ts";
import type { Waybill } from "./waybill.ts";

export function statementOf(
  { awb, origin, destination, airline }: Waybill,
  reports: readonly Report[],
): WaybillStatement {
  const last = reports.findLast(isOfCargoInHand) ?? reports.at(-1);
  const known = last?.isBare === true ? undefined : last?.milestone;
  const [only, ...others] = reports;
  return {
    awb,
    origin,
    destination,
    pieces: known?.totalPieces ?? null,
    weightKg: airline.weightIn === "waybill" ? (known?.totalWeightKg ?? null) : null,
    ...(last?.isInPounds === true ? { isInPounds: true } : {}),
    ...(only?.milestone.isPartInHead === true && others.length === 0 ? { isOfPart: true } : {}),
    events: reports.map((report) => {
      const event = eventCache.get(report) ?? eventOf(report);
      eventCache.set(report, event);
      return event;
    }),
  };
}

/** Its pieces and its weight are as booked. */
const BOOKING_CODES: readonly string[] = ["BKD", "DPU", "DOC", "FOH", "PRE", "TRM"];

/** Whether it says what was counted and weighed. */
export function isOfCargoInHand({ milestone, planned }: Report): boolean {
  return !planned && !BOOKING_CODES.includes(milestone.code);
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

function eventOf(report: Report): AirEvent {
  const { milestone, planned, isOfDay, remark } = report;
  const { code, station, atMs, pieces, totalPieces, totalWeightKg } = milestone;
  const { transfer, discrepancy, party } = milestone;
  const isPart = pieces < totalPieces;
  return {
    ...WITHOUT_FLIGHT,
    code,
    station: milestone.isOfCity ? cityOf(station) : station,
    at: code === "TRM" ? null : timeAt(station, atMs),
    timeIs: planned ? "estimated" : "actual",
    ...(planned ? { planned: true } : {}),
    ...(isOfDay ? { isOfDay: true } : {}),
    ...(report.isGarbled ? { isGarbled: true } : {}),
    ...(report.isInPounds ? { isInPounds: true } : {}),
    ...(milestone.isByPiece ? { isByPiece: true } : {}),
    ...flightOf(report),
    pieces,
    weightKg: isPart ? Math.round((pieces * totalWeightKg * 10) / totalPieces) / 10 : totalWeightKg,
    shipmentPart: isPart ? "part" : "total",
    totalPieces: report.isBare ? null : milestone.isSelfTotal ? pieces : totalPieces,
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

/** Shanghai's is that of its other airport, where an event names it. */
export function cityOf(station: Station): string {
  return station === "PVG" ? station : (CITIES[station] ?? station);
}

/** Before a flight its schedule is reported, afterwards its actual times. */
function flightOf(report: Report): Partial<AirEvent> {
  const { code, flight, atMs, isOfCity } = report.milestone;
  if (flight === null) return {};
  const { carrier, number, date, from, to, scheduled } = flight;
  const written = (station: Station): string => (isOfCity ? cityOf(station) : station);
  const ofFlight = { flight: { carrier, number, date }, from: written(from), to: written(to) };
  switch (code) {
    case "DEP": {
      const departure = report.isOfDay ? null : timeAt(from, atMs);
      const arrival = timeAt(to, announcedArrivalMs(report, flight));
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
    case "FIW":
    case "RCF": {
      const arrivalMs = namedArrivalMs(report);
      return arrivalMs === null
        ? ofFlight
        : { ...ofFlight, arrival: timeAt(to, arrivalMs), arrivalIs: "actual" };
    }
    default:
      return ofFlight;
  }
}

/** What a departure says of its flight's arrival. */
export function announcedArrivalMs({ milestone, trueMs, isOfDay }: Report, { scheduled }: Flight): number {
  return scheduled.arrivalMs + (isOfDay ? trueMs : milestone.atMs) - scheduled.departureMs;
}

/** What an arrival says of its flight's arrival. Messages count days only from the one before. */
export function namedArrivalMs({
  milestone: { code, atMs, flight },
  isOfDay,
  planned,
}: Report): number | null {
  if (flight === null || isOfDay || planned) return null;
  if (code === "ARR") return atMs;
  const sinceMs = atMs - flight.actual.arrivalMs;
  return sinceMs < 0 || sinceMs > DAY_MS / 2 ? null : flight.actual.arrivalMs;
}
