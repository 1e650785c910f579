/** One logistics event of ONE Record → an air event. Servers differ, so reading is lenient. */
import {
  EMPTY_EVENT,
  MILESTONES,
  type AirEvent,
  type AirStatusCode,
  type TimeIndicator,
} from "../../timeline/air-event.ts";
import type { FlightOfEvent } from "../event-form.ts";
import { designatorIn } from "../imp/flight.ts";
import {
  allValuesOf,
  codesOf,
  nodesOf,
  booleanOf,
  numberOf,
  resolveNodes,
  firstTextOf,
  type LinkedDocument,
  type LinkedNode,
} from "./json-ld.ts";
import { readDateTime, readWeightKg, stationOf } from "./values.ts";

/** A string is the reason why the event cannot be used. */
export function readLogisticsEvent(document: LinkedDocument, event: LinkedNode): AirEvent | string {
  const written = codesOf(document, event, "eventCode")[0] ?? "";
  // The code list appends the discrepancy: DIS_FDCA.
  const [, code = "", discrepancy = null] = /^([A-Z]{3})(?:[_ -]([A-Z]{4}))?$/.exec(written) ?? [];
  if (!Object.hasOwn(MILESTONES, code))
    return `eventCode ${written === "" ? "missing" : `${written} is no status`}`;
  const station = stationOf(document, event, "eventLocation", "recordedAtLocation");
  const date = firstTextOf(event, "eventDate");
  const at = date === null ? null : readDateTime(date, station);
  if (date !== null && at === null) return "eventDate is no date-time";
  const time = timeTypeOf(document, event);
  if (time === null) return "eventTimeType is not known";
  const movement =
    nodesOf(document, event, "transportMovementReference")[0] ??
    linkedOfTypes(document, event, ["TransportMovement"])[0];
  const created = readDateTime(firstTextOf(event, "creationDate") ?? "", null);
  return {
    ...EMPTY_EVENT,
    ...(movement === undefined ? {} : readMovement(document, movement, code === "DEP" ? at : null)),
    ...shipmentPartOf(document, event),
    code: code as AirStatusCode,
    station,
    at,
    timeIs: time.indicator,
    ...(time.planned ? { planned: true } : {}),
    weightKg: readWeightKg(document, event, "recordedWeight", "partialWeight"),
    discrepancy: code === "DIS" ? discrepancy : null,
    ...(created === null ? {} : { said: { ms: created.ms, messages: [], answers: [] } }),
  };
}

type TimeType = { readonly indicator: TimeIndicator | null; readonly planned: boolean };

const TIME_TYPES: { readonly [code: string]: TimeType } = {
  ACTUAL: { indicator: "actual", planned: false },
  ESTIMATED: { indicator: "estimated", planned: true },
  EXPECTED: { indicator: "estimated", planned: true },
  PLANNED: { indicator: "scheduled", planned: true },
  SCHEDULED: { indicator: "scheduled", planned: true },
  REQUESTED: { indicator: "scheduled", planned: true },
};

/** Without a time type the event has happened, since events are recorded. */
function timeTypeOf(document: LinkedDocument, event: LinkedNode): TimeType | null {
  const code = codesOf(document, event, "eventTimeType")[0];
  if (code === undefined) return { indicator: null, planned: false };
  return Object.hasOwn(TIME_TYPES, code) ? TIME_TYPES[code]! : null;
}

/** An event linked to single pieces only, or marked as partial, is of a part of the shipment. */
function shipmentPartOf(
  document: LinkedDocument,
  event: LinkedNode,
): Pick<AirEvent, "pieces" | "shipmentPart"> {
  const isPartial = booleanOf(event, "partialEventIndicator");
  const count = numberOf(event, "recordedPieceCount", "partialPieceCount");
  const pieces = count !== null && Number.isInteger(count) && count > 0 ? count : null;
  const ofPieces = linkedOfTypes(document, event, ["Piece", "PieceDg", "PieceLiveAnimals"]).length;
  const ofWhole = linkedOfTypes(document, event, ["Shipment", "Waybill"]).length > 0;
  if (ofPieces > 0 && !ofWhole) return { pieces: pieces ?? ofPieces, shipmentPart: "part" };
  if (isPartial === null) return { pieces, shipmentPart: null };
  return { pieces, shipmentPart: isPartial ? "part" : "total" };
}

/** `eventFor` since version 3.0; some servers still write the older `linkedObject`. */
function linkedOfTypes(
  document: LinkedDocument,
  event: LinkedNode,
  types: readonly string[],
): readonly LinkedNode[] {
  return resolveNodes(document, allValuesOf(event, "eventFor", "linkedObject")).filter((node) =>
    node.types.some((type) => types.includes(type)),
  );
}

/** Null: neither a flight nor a leg. `left`: when the event says that it departs, for a movement without times. */
function readMovement(
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
const ENDS = { departure: /^([AES])D$/, arrival: /^([AES])A$/ } as const;
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
    const milestone = ENDS[end].exec(codesOf(document, time, "movementMilestone")[0] ?? "");
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
