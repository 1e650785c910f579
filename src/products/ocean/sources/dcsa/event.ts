/** One event as the carrier writes it → a carrier event. No two carriers write the standard alike. */
import { type Classifier, field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import type { EventTime } from "../../../../freight/places/local-time.ts";
import { type JsonObject, isObject } from "../../../../model/json.ts";
import type { CarrierEvent, DocumentReference, Movement, Place, Vessel } from "../carrier-event.ts";
import { zoneAt } from "../../../../freight/places/known-ports.ts";
import { portOf, readUnlocode } from "../../../../freight/places/ports.ts";
import { plainReference, TRACKED_DOCUMENT_TYPES } from "../../timeline/transport-documents.ts";
import { flattenPortCall, isPortCall } from "./port-call.ts";
import { readDateTime, readWallClock } from "../../../../freight/dcsa/time.ts";
import { flattenVersion1, isVersion1 } from "./version-1.ts";
import { flattenVersion3, isVersion3 } from "./version-3.ts";

const KINDS = {
  EQUIPMENT: { kind: "equipment", code: "equipmentEventTypeCode" },
  TRANSPORT: { kind: "transport", code: "transportEventTypeCode" },
  SHIPMENT: { kind: "shipment", code: "shipmentEventTypeCode" },
} as const;

/** Types of 3.0 that do not concern a box's journey. */
const IGNORED_TYPES = new Set(["IOT", "REEFER"]);

/** Reasons why something is no event, not an unreadable one. */
export const NOT_AN_EVENT: ReadonlySet<string> = new Set(["not an object", "eventType missing"]);

/** The event, or the reason why it is unusable; null: well-formed and ignored. */
export function readEvent(raw: unknown, spelling: Spelling): CarrierEvent | string | null {
  if (!isObject(raw)) return "not an object";
  const flattened = flattenEvent(raw, spelling);
  return flattened === null ? null : readFlat(flattened.flat, flattened.spelling);
}

/** An event of any standard with the field names of 2.2, and their spelling; null: ignored. */
export function flattenEvent(
  raw: JsonObject,
  spelling: Spelling,
): { readonly flat: JsonObject; readonly spelling: Spelling } | null {
  const isNewer = isVersion3(raw, spelling);
  if (isVersion1(raw, spelling)) return flattenVersion1(raw, spelling);
  if (!isNewer && !isPortCall(raw, spelling)) return { flat: raw, spelling };
  const flat = isNewer ? flattenVersion3(raw, spelling) : flattenPortCall(raw, spelling);
  // A flattened event has the standard's field names.
  return flat === null ? null : { flat, spelling: { ...spelling, fields: {} } };
}

function readFlat(raw: JsonObject, spelling: Spelling): CarrierEvent | string | null {
  const eventType = text(raw, "eventType", spelling)?.toUpperCase() ?? "";
  if (IGNORED_TYPES.has(eventType)) return null;
  if (!Object.hasOwn(KINDS, eventType)) return `eventType ${eventType || "missing"}`;
  const { kind, code: codeField } = KINDS[eventType as keyof typeof KINDS];
  const code = text(raw, codeField, spelling)?.toUpperCase();
  if (code === undefined) return `${codeField} missing`;
  const classifier = readClassifier(raw, kind, spelling);
  if (classifier === null) return "eventClassifierCode missing or unknown";
  const written = text(raw, "eventDateTime", spelling);
  if (written === null) return "eventDateTime missing";
  const call = callOf(raw, spelling);
  const place = readPlace(raw, call, spelling);
  const at = readDateTime(written) ?? readByPlace(written, place);
  if (at === null) return "eventDateTime is no date-time with an offset, nor one at a place of a known zone";

  const created = text(raw, "eventCreatedDateTime", spelling);
  const vessel = readVessel(call, spelling);
  const voyage = readVoyage(call, spelling);
  const mode = decoded(spelling.modes, text(call, "modeOfTransport", spelling));
  // A call that has a voyage is a vessel's; moves at a gate may name the voyage that they are for.
  const isVessels = vessel !== null || (kind === "transport" && voyage !== null);
  const isoCode = text(raw, "ISOEquipmentCode", spelling)?.toUpperCase();
  const movement =
    decoded(MOVEMENTS, text(raw, "movementType", spelling)) ??
    (kind === "equipment" ? movementInText(text(raw, "description", spelling)) : null);
  return {
    kind,
    code,
    classifier,
    at,
    createdAtMs: created === null ? null : (readDateTime(created)?.ms ?? null),
    place,
    mode: mode ?? (isVessels ? "vessel" : null),
    vessel,
    voyage,
    equipment: readEquipment(raw, spelling),
    ...(isoCode === undefined ? {} : { isoCode }),
    laden: readLaden(raw, spelling),
    ...(movement === null ? {} : { movement }),
    documentType: text(raw, "documentTypeCode", spelling)?.toUpperCase() ?? null,
    documents: readDocuments(raw, spelling),
  };
}

/** Without a transport call, what it would hold may be on the event itself. */
export function callOf(raw: JsonObject, spelling: Spelling): JsonObject {
  return isObject(field(raw, "transportCall", spelling)) ? object(raw, "transportCall", spelling) : raw;
}

/** The standard requires an offset. Carriers that leave it out mean the local time of the place. */
function readByPlace(written: string, place: Place | null): EventTime | null {
  const zone = zoneAt(place);
  return zone === null ? null : readWallClock(written, zone);
}

const MOVEMENTS: { readonly [written: string]: Movement } = {
  EXPORT: "export",
  TRANSSHIPMENT: "transshipment",
  IMPORT: "import",
};

/** 2.2 has no field for the movement; some carriers describe it: `Full Transshipment Discharged`. */
function movementInText(description: string | null): Movement | null {
  const word = /\b(?:EXPORT|TRANSS?HIPMENT|IMPORT)\b/.exec(description?.toUpperCase() ?? "")?.[0] ?? null;
  return decoded(MOVEMENTS, word === "TRANSHIPMENT" ? "TRANSSHIPMENT" : word);
}

/** The meaning of a code in any case; null if absent or unknown. */
function decoded<Meaning>(
  meanings: { readonly [written: string]: Meaning },
  written: string | null,
): Meaning | null {
  const code = written?.toUpperCase() ?? "";
  return Object.hasOwn(meanings, code) ? (meanings[code] ?? null) : null;
}

/** Some carriers leave the classifier of document events out: they are never estimated. */
function readClassifier(raw: JsonObject, kind: CarrierEvent["kind"], spelling: Spelling): Classifier | null {
  const written = text(raw, "eventClassifierCode", spelling);
  if (written === null) return kind === "shipment" ? "actual" : null;
  return decoded(spelling.classifiers, written);
}

/** 2.2 names the container among the references if the event has no field for it. Several count as all. */
function readEquipment(raw: JsonObject, spelling: Spelling): string | null {
  const own = text(raw, "equipmentReference", spelling);
  const named = own === null ? equipmentAmongReferences(raw, spelling) : [own];
  const numbers = new Set(named.map(plainReference));
  const [number] = numbers;
  return numbers.size === 1 && number ? number : null;
}

/** The place is on the event, the call, the call's location, or spread over all three. */
function readPlace(raw: JsonObject, call: JsonObject, spelling: Spelling): Place | null {
  const location = object(raw, "eventLocation", spelling);
  const callLocation = object(call, "location", spelling);
  const first = (name: string): string | null =>
    text(location, name, spelling) ?? text(call, name, spelling) ?? text(callLocation, name, spelling);
  const place = {
    unlocode: readUnlocode(first("UNLocationCode")),
    name: first("locationName"),
    facility: first("facilityCode"),
    facilityType:
      (
        text(call, "facilityTypeCode", spelling) ?? text(location, "facilityTypeCode", spelling)
      )?.toUpperCase() ?? null,
  };
  if (place.unlocode === null && place.name === null && place.facility === null) return null;
  const [latitude, longitude] = [readDegrees(first("latitude"), 90), readDegrees(first("longitude"), 180)];
  if (latitude === null || longitude === null || portOf(place.unlocode ?? "") !== null) return place;
  return { ...place, position: { latitude, longitude } };
}

/** Zero is what some carriers write for unknown coordinates. */
function readDegrees(written: string | null, max: number): number | null {
  const degrees = Number(written ?? Number.NaN);
  return degrees !== 0 && Math.abs(degrees) <= max ? degrees : null;
}

export function readVessel(call: JsonObject, spelling: Spelling): Vessel | null {
  const vessel = object(call, "vessel", spelling);
  // 2.0 has both on the call.
  const name = text(vessel, "vesselName", spelling) ?? text(call, "vesselName", spelling);
  const imo = text(vessel, "vesselIMONumber", spelling) ?? text(call, "vesselIMONumber", spelling);
  return name === null && imo === null ? null : { name, imo };
}

export function readVoyage(call: JsonObject, spelling: Spelling): string | null {
  return (
    text(call, "exportVoyageNumber", spelling) ??
    text(call, "carrierVoyageNumber", spelling) ??
    text(call, "importVoyageNumber", spelling)
  );
}

function readLaden(raw: JsonObject, spelling: Spelling): boolean | null {
  const emptiness = decoded(spelling.emptiness, text(raw, "emptyIndicatorCode", spelling));
  return emptiness === null ? null : emptiness === "laden";
}

/** The documents that the event names, and the tracked document that it is about. */
function readDocuments(raw: JsonObject, spelling: Spelling): readonly DocumentReference[] {
  const list = field(raw, "documentReferences", spelling);
  const named = (Array.isArray(list) ? list : []).slice(0, DOCUMENTS_MAX).flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const type = text(entry, "documentReferenceType", spelling)?.toUpperCase();
    const value = text(entry, "documentReferenceValue", spelling);
    return type === undefined || value === null ? [] : [{ type, value }];
  });
  const type = text(raw, "documentTypeCode", spelling)?.toUpperCase() ?? "";
  const value = TRACKED_DOCUMENT_TYPES.has(type) ? text(raw, "documentID", spelling) : null;
  const isNamed = value === null || named.some((one) => one.type === type && one.value === value);
  return isNamed ? named : [{ type, value }, ...named];
}

const DOCUMENTS_MAX = 20;

const REFERENCES_MAX = 200;

/** The containers among the `references` of 2.2, as written. */
export function equipmentAmongReferences(raw: JsonObject, spelling: Spelling): readonly string[] {
  const list = field(raw, "references", spelling);
  if (!Array.isArray(list)) return [];
  return list.slice(0, REFERENCES_MAX).flatMap((entry: unknown) => {
    const isEquipment = isObject(entry) && text(entry, "referenceType", spelling)?.toUpperCase() === "EQ";
    return isEquipment ? (text(entry, "referenceValue", spelling) ?? []) : [];
  });
}
