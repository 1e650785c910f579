/**
 * What a replay has to know of a recorded event: what it is about, whether it happened, and when. Reads Track & Trace
 * 2.2 and 3.0 as carriers spell them. A reader of its own: the service's reader is what replays test.
 */

export type JsonObject = { readonly [name: string]: unknown };

export type RecordedEvent = {
  readonly raw: JsonObject;
  readonly code: string;
  /** Equal for all versions of one event, estimated or actual. */
  readonly identity: string;
  readonly isActual: boolean;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** When the carrier wrote it; null if unknown. */
  readonly createdAtMs: number | null;
  /** A container number. */
  readonly equipment: string | null;
  readonly documents: readonly { readonly type: string; readonly value: string }[];
};

const CODE_FIELDS: Readonly<Record<string, string>> = {
  EQUIPMENT: "equipmentEventTypeCode",
  TRANSPORT: "transportEventTypeCode",
  SHIPMENT: "shipmentEventTypeCode",
};

const CLASSIFIERS = ["ACT", "EST", "REQ", "PLN", "PLAN"];

/** Null: not an event of a box's journey, retracted, or without a usable time. */
export function readRecordedEvent(raw: JsonObject): RecordedEvent | null {
  const classification = objectIn(raw, "eventClassification");
  const equipmentDetails = objectIn(raw, "equipmentDetails");
  const type = upper(classification, "eventTypeCode") ?? upper(raw, "eventType") ?? "";
  const codeField = CODE_FIELDS[type];
  if (codeField === undefined || raw["isRetracted"] === true) return null;
  const code = upper(classification, codeField) ?? upper(raw, codeField);
  const classifier =
    upper(classification, "eventClassifierCode") ??
    upper(raw, "eventClassifierCode") ??
    (type === "SHIPMENT" ? "ACT" : "");
  const written = textIn(raw, "eventDateTime");
  const atMs = written === null ? null : instantOf(written, "UTC");
  if (code === null || !CLASSIFIERS.includes(classifier) || atMs === null) return null;
  const created = textIn(raw, "eventUpdatedDateTime", "eventCreatedDateTime", "eventCreated");
  return {
    raw,
    code,
    identity: identityOf(type, code, raw, equipmentDetails),
    isActual: classifier === "ACT",
    atMs,
    createdAtMs: created === null ? null : instantOf(created, null),
    equipment: equipmentIn(raw, equipmentDetails),
    documents: documentsIn(raw),
  };
}

/** Vessel and terminal are left out: a roll-over changes the estimate of one event. */
function identityOf(type: string, code: string, raw: JsonObject, equipmentDetails: JsonObject): string {
  if (type === "SHIPMENT") {
    const document = objectIn(objectIn(raw, "shipmentDetails"), "documentReference");
    return `${type} ${code} ${textIn(raw, "documentTypeCode") ?? textIn(document, "typeCode") ?? ""}`;
  }
  const ownCall = objectIn(raw, "transportCall");
  const call = Object.keys(ownCall).length > 0 ? ownCall : callOfVersion3(raw);
  const location = objectIn(raw, "eventLocation");
  const places = [location, call, objectIn(call, "location")];
  const unlocode = firstIn(places, "UNLocationCode", "unLocationCode", "unLocode");
  const where = unlocode?.toUpperCase().replaceAll(" ", "") ?? firstIn(places, "locationName") ?? "";
  const isEmpty =
    (upper(equipmentDetails, "emptyIndicatorCode") ?? upper(raw, "emptyIndicatorCode")) === "EMPTY";
  const isGate = code === "GTIN" || code === "GTOT";
  const facility = (firstIn([call, location], "facilityTypeCode", "facilityType") ?? "").toUpperCase();
  // A vessel anchors and takes its pilot before it comes to its berth: separate events of one port.
  const offBerth = type === "TRANSPORT" && (facility === "ANCH" || facility === "PBPL") ? facility : "";
  return [type, code, where, isEmpty, isGate ? "" : modeOf(call), offBerth].join(" ");
}

function callOfVersion3(raw: JsonObject): JsonObject {
  return objectIn(objectIn(raw, "transportDetails"), "transportCall");
}

/** A call that names a vessel is a vessel's. */
function modeOf(call: JsonObject): string {
  const written = textIn(call, "modeOfTransport", "modeOfTransportCode")?.toUpperCase();
  if (written !== undefined) return written === "FEEDER" ? "VESSEL" : written;
  const vessels = [objectIn(call, "vessel"), objectIn(call, "vesselTransport")];
  return firstIn(vessels, "vesselName", "vesselIMONumber", "vesselImoNumber") === null ? "" : "VESSEL";
}

/** Null where the event names several. */
function equipmentIn(raw: JsonObject, equipmentDetails: JsonObject): string | null {
  const own = textIn(equipmentDetails, "equipmentReference") ?? textIn(raw, "equipmentReference");
  const listed = listIn(raw, "references").flatMap((reference) =>
    upper(reference, "referenceType") === "EQ" ? (textIn(reference, "referenceValue") ?? []) : [],
  );
  const numbers = new Set((own === null ? listed : [own]).map(plainNumber));
  const [number] = numbers;
  return numbers.size === 1 && number ? number : null;
}

function plainNumber(written: string): string {
  return written.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** The documents that an event names, and the one that it is about. */
function documentsIn(raw: JsonObject): RecordedEvent["documents"] {
  const details = objectIn(raw, "shipmentDetails");
  const named = [
    { documentReferenceType: raw["documentTypeCode"], documentReferenceValue: raw["documentID"] },
    ...listIn(raw, "documentReferences"),
    objectIn(details, "documentReference"),
    ...listIn(details, "additionalDocumentReferences"),
  ];
  return named.flatMap((reference) => {
    const type = textIn(reference, "documentReferenceType", "typeCode")?.toUpperCase();
    const value = textIn(reference, "documentReferenceValue", "reference");
    return type === undefined || value === null ? [] : [{ type, value }];
  });
}

/** `zone`: how to read a time without an offset; null: as unknown. */
function instantOf(written: string, zone: "UTC" | null): number | null {
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(written);
  if (!/^\d{4}-\d\d-\d\d[T ]/i.test(written) || (!hasOffset && zone === null)) return null;
  const ms = Date.parse(hasOffset ? written : `${written}Z`);
  return Number.isNaN(ms) ? null : ms;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectIn(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isObject(value) ? value : {};
}

function listIn(from: JsonObject, name: string): readonly JsonObject[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The first of the fields that holds text; numbers count as text. */
function textIn(from: JsonObject, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = from[name];
    const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
    if (text !== "") return text;
  }
  return null;
}

function firstIn(from: readonly JsonObject[], ...names: readonly string[]): string | null {
  for (const one of from) {
    const text = textIn(one, ...names);
    if (text !== null) return text;
  }
  return null;
}

function upper(from: JsonObject, name: string): string | null {
  return textIn(from, name)?.toUpperCase() ?? null;
}
