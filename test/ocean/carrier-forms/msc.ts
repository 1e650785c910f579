/**
 * Track & Trace 2.2 as MSC writes it. Recorded answers show: `eventId`, `unLocationCode`, import voyages on what a vessel
 * brings, what a move is part of in the description, `eventCreatedDateTime` the time of the event itself, estimates only.
 */
import { codeField, imoOf, townOf, withOffset, type CarrierForm, type Statement } from "./statement.ts";

export const msc: CarrierForm = {
  answer: (statements) => statements.toReversed().map(event),
};

const BROUGHT = new Set(["ARRI", "DISC"]);

function event(statement: Statement): object {
  const { kind, code, classifier, place, booking, document } = statement;
  const written = withOffset(statement);
  const classifierCode = classifier === "actual" ? "ACT" : "EST";
  return {
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    ...(kind === "shipment"
      ? { documentTypeCode: document, documentID: booking }
      : { transportCall: call(statement), description: describe(statement) }),
    ...(kind === "equipment" ? equipment(statement) : {}),
    ...(kind === "equipment" && place !== null ? { eventLocation: { locationName: townOf(place) } } : {}),
    documentReferences: [
      { documentReferenceType: "BKG", documentReferenceValue: booking },
      { documentReferenceType: "TRD", documentReferenceValue: `SWAU${booking}` },
    ],
    eventId: `${classifierCode}${written}`,
    eventDateTime: written,
    eventClassifierCode: classifierCode,
    eventCreatedDateTime:
      classifier === "actual"
        ? written
        : new Date(statement.statedMs).toISOString().replace(".000Z", "+00:00"),
    references: [],
  };
}

function call({ code, place, mode, vessel, voyage }: Statement): object {
  return {
    transportCallID: `${place?.port ?? ""}${voyage ?? ""}`,
    carrierServiceCode: null,
    exportVoyageNumber: BROUGHT.has(code) ? null : voyage,
    importVoyageNumber: BROUGHT.has(code) ? voyage : null,
    unLocationCode: place?.port ?? null,
    facilityCode: place?.facility ?? null,
    facilityCodeListProvider: "SMDG",
    facilityTypeCode: place?.facilityType ?? null,
    otherFacility: null,
    modeOfTransport: mode,
    vessel: vessel === null ? null : { vesselIMONumber: imoOf(vessel), vesselName: vessel, vesselFlag: "LR" },
  };
}

function equipment({ box, laden, lastFreeDay }: Statement): object {
  return {
    equipmentReference: box,
    emptyIndicatorCode: laden === null ? null : laden ? "LADEN" : "EMPTY",
    ...(lastFreeDay === null ? {} : { lastFreeDay }),
  };
}

const VERBS: Readonly<Record<string, string>> = {
  LOAD: "Loaded on Vessel",
  DISC: "Discharged from Vessel",
  GTIN: "received at CY",
  GTOT: "to consignee",
};

/** `Full Transshipment Discharged`, `Export received at CY`. */
function describe({ kind, code, classifier, movement, laden }: Statement): string {
  const subject = code === "ARRI" ? "Arrival" : "Departure";
  if (kind === "transport")
    return classifier === "actual" ? `Vessel ${subject}` : `Estimated Time of ${subject}`;
  if (laden === false) return code === "GTIN" ? "Empty received at CY" : "Empty to Shipper";
  if (movement === "transshipment") return `Full Transshipment ${code === "LOAD" ? "Loaded" : "Discharged"}`;
  const part = movement === null ? "" : `${movement[0]?.toUpperCase()}${movement.slice(1)} `;
  return `${part}${VERBS[code] ?? code}`;
}
