/** A transport movement → the flight, leg and flight times of an event. */
import type { AirEvent, TimeIndicator } from "../../timeline/air-event.ts";
import type { FlightOfEvent } from "../event-form.ts";
import { designatorIn } from "../imp/flight.ts";
import { codesOf, nodesOf, firstTextOf, type LinkedDocument, type LinkedNode } from "./json-ld.ts";
import { readDateTime, stationOf } from "./values.ts";

/** Null: neither a flight nor a leg. `left`: when the event says that it departs, for a movement without times. */
export function readMovement(
  document: LinkedDocument,
  movement: LinkedNode,
  left: AirEvent["at"],
): FlightOfEvent | null {
  const designator = designatorIn((firstTextOf(movement, "transportIdentifier") ?? "").toUpperCase());
  const from = stationOf(document, movement, "departureLocation");
  const to = stationOf(document, movement, "arrivalLocation");
  if (designator === null && from === null && to === null) return null;
  const departure = movementTimeOf(document, movement, "departure", from);
  const arrival = movementTimeOf(document, movement, "arrival", to);
  const date = (departure.scheduled ?? departure.at ?? left)?.local.slice(0, 10) ?? null;
  return {
    flight: designator === null ? null : { ...designator, date },
    from,
    to,
    departure: departure.at,
    departureIs: departure.indicator,
    arrival: arrival.at,
    arrivalIs: arrival.indicator,
  };
}

const DIRECTIONS = { departure: "OUTBOUND", arrival: "INBOUND" } as const;
/** cXML code list 1.92: actual, estimated or scheduled, and departure or arrival. */
const MILESTONES = { departure: /^([AES])D$/, arrival: /^([AES])A$/ } as const;
const TIMES: { readonly [code: string]: TimeIndicator } = {
  A: "actual",
  ACTUAL: "actual",
  E: "estimated",
  ESTIMATED: "estimated",
  S: "scheduled",
  SCHEDULED: "scheduled",
};

type MovementTime = { readonly at: AirEvent["at"]; readonly indicator: TimeIndicator | null };

/** Actual before estimated before scheduled. */
function movementTimeOf(
  document: LinkedDocument,
  movement: LinkedNode,
  end: "departure" | "arrival",
  station: string | null,
): MovementTime & { readonly scheduled: AirEvent["at"] } {
  const times = nodesOf(document, movement, "movementTimes").flatMap((time) => {
    const milestone = MILESTONES[end].exec(codesOf(document, time, "movementMilestone")[0] ?? "");
    const isOfEnd = milestone !== null || codesOf(document, time, "direction")[0] === DIRECTIONS[end];
    if (!isOfEnd) return [];
    const code = codesOf(document, time, "movementTimeType")[0] ?? milestone?.[1] ?? "";
    const at = readDateTime(firstTextOf(time, "movementTimestamp") ?? "", station);
    return at !== null ? [{ at, indicator: Object.hasOwn(TIMES, code) ? TIMES[code]! : null }] : [];
  });
  const which = (indicator: TimeIndicator): MovementTime | undefined =>
    times.find((time) => time.indicator === indicator);
  const scheduled = which("scheduled");
  const best = which("actual") ?? which("estimated") ?? scheduled ?? times[0];
  return { at: best?.at ?? null, indicator: best?.indicator ?? null, scheduled: scheduled?.at ?? null };
}
