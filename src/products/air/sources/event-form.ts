/** An event, from what a source says of its place and its flight, in the form that Cargo-IMP's status lines give. */
import type { LocalTime } from "../../../freight/places/local-time.ts";
import { EMPTY_EVENT, type AirEvent, type AirStatusCode, type TimeIndicator } from "../timeline/air-event.ts";
import type { Designator } from "./imp/flight.ts";

export type Movement = {
  readonly designator: Designator | null;
  /** Of the carrier, also where no flight is named. */
  readonly carrier: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** A place that is named as neither end of the leg. */
  readonly station: string | null;
  readonly departure: LocalTime | null;
  readonly departureIs: TimeIndicator | null;
  /** YYYY-MM-DD at the airport of departure, as scheduled if that is known. */
  readonly date: string | null;
  readonly arrival: LocalTime | null;
  readonly arrivalIs: TimeIndicator | null;
  /** When the status happened; before its station is known, an offset is. */
  readonly occurrence: (station: string | null) => LocalTime | null;
  readonly occurrenceIs: TimeIndicator | null;
  /** Its source writes when the status happened, in a form that may be unreadable: then nobody knows whether it has come. */
  readonly isTimed: boolean;
};

/** Of these, each movement is a flight of its own; any other status is at one place. */
export const DEPARTURES: readonly string[] = ["BKD", "PRE", "MAN", "DEP"];
const ARRIVALS: readonly string[] = ["RCF", "ARR", "AWR", "FIW"];
/** Beside the arrivals, these are where the flight that they name ends. */
const AT_END: readonly string[] = ["NFD", "AWD", "DLV", "DDL", "CCD", "TGC", "DIS"];
const TRANSFERS: readonly string[] = ["RCT", "TRM", "TFD"];

/** Names in the order of all events, since records are compared as text. */
export function inForm(code: AirStatusCode, known: Partial<AirEvent>): AirEvent {
  return { ...EMPTY_EVENT, ...known, code };
}

/** Null without a place, and for a time that cannot be read. The time is the flight's, else that of the status; of a departure the one that is actual. */
export function departureOf(code: AirStatusCode, movement: Movement): Partial<AirEvent> | null {
  const station = movement.from ?? movement.station;
  if (station === null) return null;
  const happened = movement.occurrence(station);
  if (movement.isTimed && happened === null) return null;
  const flight = flightOf(movement);
  const date = movement.date ?? happened?.local.slice(0, "YYYY-MM-DD".length) ?? null;
  const isOwn =
    happened !== null &&
    (movement.departure === null ||
      (code === "DEP" && movement.departureIs !== "actual" && movement.occurrenceIs !== "scheduled"));
  return {
    ...flight,
    flight: flight.flight === null ? null : { ...flight.flight, date },
    from: station,
    station,
    at: isOwn ? happened : movement.departure,
    timeIs: isOwn ? movement.occurrenceIs : movement.departure === null ? null : movement.departureIs,
  };
}

/** Null for a time that cannot be read. `transfer`: between carriers, if the source says it. */
export function placedIn(
  code: AirStatusCode,
  movement: Movement,
  transfer: AirEvent["transfer"],
): Partial<AirEvent> | null {
  const isArrival = ARRIVALS.includes(code);
  const isAtEnd = isArrival || AT_END.includes(code);
  const station = movement.station ?? (isAtEnd ? movement.to : movement.from) ?? movement.to ?? movement.from;
  const happened = movement.occurrence(station);
  if (movement.isTimed && happened === null) return null;
  const arrived = isArrival ? movement.arrival : null;
  const at = happened ?? arrived;
  const timeIs = at === null ? null : happened === null ? movement.arrivalIs : "actual";
  const flight = flightOf(movement);
  const place = { station, at, timeIs } as const;
  if (isArrival) return { ...flight, ...place, to: movement.to ?? station };
  if (code === "FOW") return { ...flight, ...place, from: movement.from ?? station };
  if (code === "CRC") return { ...place, flight: flight.flight, from: flight.from, to: flight.to };
  const designator = flight.flight === null ? null : { ...flight.flight, date: null };
  if (TRANSFERS.includes(code)) return { ...place, transfer };
  return { ...place, flight: designator };
}

export type FlightOfEvent = Pick<
  AirEvent,
  "flight" | "from" | "to" | "departure" | "departureIs" | "arrival" | "arrivalIs"
>;

/** What a status says of its flight. */
function flightOf(movement: Movement): FlightOfEvent {
  const { designator, date, from, to, departure, departureIs, arrival, arrivalIs } = movement;
  const flight = designator === null ? null : { ...designator, date };
  return { flight, from, to, departure, departureIs, arrival, arrivalIs };
}
