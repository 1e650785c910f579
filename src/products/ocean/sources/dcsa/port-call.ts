/**
 * DCSA Port Call 2.0: what a vessel does within a port. Flattened, such an event is a vessel's arrival or departure
 * at an anchorage (`ANCH`), a berth (`BRTH`) or a pilot boarding place (`PBPL`).
 */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";

export function isPortCall(raw: JsonObject, spelling: Spelling): boolean {
  return isObject(field(raw, "portCallService", spelling));
}

const MOVES: Readonly<Record<string, readonly [code: "ARRI" | "DEPA", facilityType: string]>> = {
  "ANCHORAGE STRT": ["ARRI", "ANCH"],
  "ANCHORAGE CMPL": ["DEPA", "ANCH"],
  "BERTH ARRI": ["ARRI", "BRTH"],
  "BERTH DEPA": ["DEPA", "BRTH"],
  "ALL_FAST ARRI": ["ARRI", "BRTH"],
  "PILOT_BOARDING_PLACE ARRI": ["ARRI", "PBPL"],
};

/**
 * The event with the field names of Track & Trace 2.2; null: it moves no vessel, or was cancelled. A requested
 * time (`REQ`) is no estimate.
 */
export function flattenPortCall(raw: JsonObject, spelling: Spelling): JsonObject | null {
  const read = (from: JsonObject, name: string): string | null => text(from, name, spelling);
  const service = object(raw, "portCallService", spelling);
  const portCall = object(raw, "portCall", spelling);
  const terminalCall = object(raw, "terminalCall", spelling);
  const timestamp = object(raw, "timestamp", spelling);
  const type = read(service, "portCallServiceTypeCode")?.toUpperCase();
  const move = MOVES[`${type} ${read(service, "portCallServiceEventTypeCode")?.toUpperCase()}`];
  const classifier = read(timestamp, "classifierCode")?.toUpperCase();
  const calledOff = [
    field(service, "isCanceled", spelling),
    field(service, "isDeclined", spelling),
    field(portCall, "isOmitted", spelling),
    field(terminalCall, "isOmitted", spelling),
  ].includes(true);
  if (move === undefined || calledOff || classifier === "REQ") return null;
  const location = object(service, "serviceLocation", spelling);
  const vessel = object(raw, "vessel", spelling);
  const voyage = (name: string): string | null =>
    read(object(terminalCall, name, spelling), "carrierVoyageNumber");
  return {
    eventType: "TRANSPORT",
    transportEventTypeCode: move[0],
    eventClassifierCode: classifier,
    eventDateTime: read(timestamp, "serviceDateTime"),
    eventCreatedDateTime: read(raw, "eventUpdatedDateTime"),
    eventLocation: {
      UNLocationCode: read(portCall, "UNLocationCode") ?? read(location, "UNLocationCode"),
      locationName: read(location, "locationName"),
      facilityCode: read(object(location, "facility", spelling), "facilityCode"),
      facilityTypeCode: move[1],
    },
    transportCall: {
      modeOfTransport: "VESSEL",
      exportVoyageNumber: voyage("exportVoyageNumberOrReference"),
      importVoyageNumber: voyage("importVoyageNumberOrReference"),
      vessel: { vesselName: read(vessel, "vesselName"), vesselIMONumber: read(vessel, "vesselIMONumber") },
    },
  };
}
