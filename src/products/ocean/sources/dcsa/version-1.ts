/**
 * Track & Trace 1.x and 2.0: one `eventTypeCode` for events of every type, which 1.1 does not name, and place and
 * transport on the event itself. Flattened, such an event is one of 2.2.
 */
import type { JsonObject } from "../../../../model/json.ts";
import { field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import { readImoNumber } from "../../../../freight/references/imo-number.ts";

const TYPES = {
  EQUIPMENT: "equipmentEventTypeCode",
  TRANSPORT: "transportEventTypeCode",
  SHIPMENT: "shipmentEventTypeCode",
} as const;

type EventType = keyof typeof TYPES;

export function isVersion1(raw: JsonObject, spelling: Spelling): boolean {
  if (text(raw, "eventTypeCode", spelling) === null) return false;
  return Object.values(TYPES).every((name) => text(raw, name, spelling) === null);
}

/** With the field names of 2.2 for what 1.x calls otherwise; the rest as it is. */
export function flattenVersion1(
  raw: JsonObject,
  spelling: Spelling,
): { readonly flat: JsonObject; readonly spelling: Spelling } {
  const code = text(raw, "eventTypeCode", spelling)?.toUpperCase() ?? "";
  const eventType = typeOf(raw, code, spelling);
  const flattened: JsonObject = {
    eventType,
    [TYPES[eventType as EventType] ?? "eventTypeCode"]: code,
    documentTypeCode: documentType(raw, spelling),
    transportCall: field(raw, "transportCall", spelling) ?? callOf(raw, spelling),
  };
  const names = Object.keys(flattened).map((name) => [name, [name]] as const);
  return {
    flat: { ...raw, ...flattened },
    spelling: { ...spelling, fields: { ...spelling.fields, ...Object.fromEntries(names) } },
  };
}

const CALLS: ReadonlySet<string> = new Set(["ARRI", "DEPA"]);
const MOVES: ReadonlySet<string> = new Set(["LOAD", "DISC", "GTIN", "GTOT", "STUF", "STRP", "PICK", "DROP"]);

/** 1.2 has a fourth type, `TRANSPORTEQUIPMENT`: a call or a move, with its box. */
function typeOf(raw: JsonObject, code: string, spelling: Spelling): string {
  const written =
    text(raw, "eventType", spelling)
      ?.toUpperCase()
      .replaceAll(/[^A-Z]|EVENT$/g, "") ?? "";
  if (Object.hasOwn(TYPES, written)) return written;
  if (CALLS.has(code)) return "TRANSPORT";
  if (MOVES.has(code)) return "EQUIPMENT";
  const isDocument = text(raw, "shipmentInformationTypeCode", spelling) !== null;
  return isDocument ? "SHIPMENT" : written === "" ? "EQUIPMENT" : written;
}

/** A booking is `BOK` in 1.x and `BKG` since. */
function documentType(raw: JsonObject, spelling: Spelling): string | null {
  const code = text(raw, "documentTypeCode", spelling) ?? text(raw, "shipmentInformationTypeCode", spelling);
  return code?.toUpperCase() === "BOK" ? "BKG" : code;
}

/** `transportReference` is a vessel's IMO number, and `transportLegReference` its voyage. */
function callOf(raw: JsonObject, spelling: Spelling): JsonObject {
  const read = (name: string): string | null => text(raw, name, spelling);
  const imo = readImoNumber(read("transportReference") ?? "");
  const location = object(raw, "eventLocation", spelling);
  return {
    UNLocationCode: read("UNLocationCode") ?? text(location, "UNLocationCode", spelling),
    facilityCode: read("facilityCode"),
    facilityTypeCode: read("facilityTypeCode"),
    locationName: read("otherFacility"),
    modeOfTransport: read("modeOfTransport"),
    ...(imo.kind === "imo"
      ? { exportVoyageNumber: read("transportLegReference"), vessel: { vesselIMONumber: imo.imo } }
      : {}),
  };
}
