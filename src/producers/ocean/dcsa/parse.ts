/**
 * DCSA Track & Trace 2.2: a carrier's answer → carrier events. Lenient in what it takes, since no
 * two carriers write the standard alike: an event that cannot be used is skipped with its reason, and
 * the rest of the answer counts.
 */
import type { SkippedEvent } from "../carrier-answer.ts";
import type { CarrierEvent, Classifier, DocumentReference, Place, Vessel } from "../carrier-event.ts";
import { field, isObject, object, text, type JsonObject, type Spelling } from "./spelling.ts";
import { readDateTime } from "./time.ts";

export type ParsedAnswer = {
  readonly events: readonly CarrierEvent[];
  readonly skipped: readonly SkippedEvent[];
};

/** Events taken from one answer; a box has some dozens, a bill of lading with fifty boxes some thousands. */
const EVENTS_MAX = 5_000;

const KINDS = {
  EQUIPMENT: { kind: "equipment", code: "equipmentEventTypeCode" },
  TRANSPORT: { kind: "transport", code: "transportEventTypeCode" },
  SHIPMENT: { kind: "shipment", code: "shipmentEventTypeCode" },
} as const;

/** Reads an answer's JSON value: the list of events, or an object that holds it. Null: it is neither. */
export function parseAnswer(answer: unknown, spelling: Spelling): ParsedAnswer | null {
  const list = eventList(answer, spelling);
  if (list === null) return null;
  const events: CarrierEvent[] = [];
  const skipped: SkippedEvent[] = [];
  for (const [index, raw] of list.entries()) {
    if (events.length >= EVENTS_MAX) {
      skipped.push({ index, reason: `more than ${EVENTS_MAX} events` });
      break;
    }
    const read = parseEvent(raw, spelling);
    if (typeof read === "string") skipped.push({ index, reason: read });
    else events.push(read);
  }
  return { events, skipped };
}

function eventList(answer: unknown, spelling: Spelling): readonly unknown[] | null {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return null;
  for (const name of spelling.envelopes) {
    const inside = Object.hasOwn(answer, name) ? answer[name] : undefined;
    if (Array.isArray(inside)) return inside;
  }
  // A single event without a list around it.
  return field(answer, "eventType", spelling) === undefined ? null : [answer];
}

/** One event, or the reason why it cannot be used. */
function parseEvent(raw: unknown, spelling: Spelling): CarrierEvent | string {
  if (!isObject(raw)) return "not an object";
  const eventType = text(raw, "eventType", spelling)?.toUpperCase() ?? "";
  if (!Object.hasOwn(KINDS, eventType)) return `eventType ${eventType || "missing"}`;
  const { kind, code: codeField } = KINDS[eventType as keyof typeof KINDS];
  const code = text(raw, codeField, spelling)?.toUpperCase();
  if (code === undefined) return `${codeField} missing`;
  const classifier = readClassifier(raw, kind, spelling);
  if (classifier === null) return "eventClassifierCode missing or unknown";
  const written = text(raw, "eventDateTime", spelling);
  if (written === null) return "eventDateTime missing";
  const at = readDateTime(written);
  if (at === null) return "eventDateTime is no date-time with an offset";

  const call = object(raw, "transportCall", spelling);
  const created = text(raw, "eventCreatedDateTime", spelling);
  const vessel = readVessel(call, spelling);
  const mode = spelling.modes[text(call, "modeOfTransport", spelling)?.toUpperCase() ?? ""];
  return {
    kind,
    code,
    classifier,
    at,
    createdAtMs: created === null ? null : (readDateTime(created)?.ms ?? null),
    place: readPlace(raw, call, spelling),
    // Where a vessel is named, a vessel it is.
    mode: mode ?? (vessel === null ? null : "vessel"),
    vessel,
    voyage: readVoyage(call, spelling),
    equipment: text(raw, "equipmentReference", spelling)?.toUpperCase() ?? null,
    laden: readLaden(raw, spelling),
    documentType: text(raw, "documentTypeCode", spelling)?.toUpperCase() ?? null,
    documents: readDocuments(raw, spelling),
  };
}

/** Papers are handled or not, never estimated: some carriers leave the classifier out there. */
function readClassifier(raw: JsonObject, kind: CarrierEvent["kind"], spelling: Spelling): Classifier | null {
  const written = text(raw, "eventClassifierCode", spelling)?.toUpperCase();
  if (written === undefined) return kind === "shipment" ? "actual" : null;
  return Object.hasOwn(spelling.classifiers, written) ? (spelling.classifiers[written] ?? null) : null;
}

/** The place is on the call, on the call's location, on the event, or spread over all three. */
function readPlace(raw: JsonObject, call: JsonObject, spelling: Spelling): Place | null {
  const location = object(raw, "eventLocation", spelling);
  const callLocation = object(call, "location", spelling);
  const first = (name: string): string | null =>
    text(location, name, spelling) ?? text(call, name, spelling) ?? text(callLocation, name, spelling);
  const place = {
    unlocode: readUnlocode(first("UNLocationCode")),
    name: first("locationName"),
    facility: first("facilityCode"),
    facilityType: text(call, "facilityTypeCode", spelling)?.toUpperCase() ?? null,
  };
  return place.unlocode === null && place.name === null && place.facility === null ? null : place;
}

function readUnlocode(written: string | null): string | null {
  const code = written?.toUpperCase().replaceAll(" ", "") ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}$/.test(code) ? code : null;
}

function readVessel(call: JsonObject, spelling: Spelling): Vessel | null {
  const vessel = object(call, "vessel", spelling);
  const name = text(vessel, "vesselName", spelling);
  const imo = text(vessel, "vesselIMONumber", spelling);
  return name === null && imo === null ? null : { name, imo };
}

function readVoyage(call: JsonObject, spelling: Spelling): string | null {
  return (
    text(call, "exportVoyageNumber", spelling) ??
    text(call, "carrierVoyageNumber", spelling) ??
    text(call, "importVoyageNumber", spelling)
  );
}

function readLaden(raw: JsonObject, spelling: Spelling): boolean | null {
  const written = text(raw, "emptyIndicatorCode", spelling)?.toUpperCase() ?? "";
  const emptiness = Object.hasOwn(spelling.emptiness, written) ? spelling.emptiness[written] : undefined;
  return emptiness === undefined ? null : emptiness === "laden";
}

function readDocuments(raw: JsonObject, spelling: Spelling): readonly DocumentReference[] {
  const list = field(raw, "documentReferences", spelling);
  if (!Array.isArray(list)) return [];
  return list.slice(0, DOCUMENTS_MAX).flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const type = text(entry, "documentReferenceType", spelling);
    const value = text(entry, "documentReferenceValue", spelling);
    return type === null || value === null ? [] : [{ type, value }];
  });
}

/** References kept of one event. */
const DOCUMENTS_MAX = 20;
