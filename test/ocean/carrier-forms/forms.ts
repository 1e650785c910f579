/** The carriers whose forms the journeys are written in; docs/carriers.md says what is known of each. */
import { cmaCgm, cosco, evergreen, hmm, one, yangMing, zim } from "./described.ts";
import {
  type CarrierForm,
  CLASSIFIERS,
  imoOf,
  townOf,
  utcTime,
  withOffset,
  type Statement,
  boxOf,
  documentOf,
  referencesOf,
  siteOf,
  statedOf,
  vesselOf,
} from "./statement.ts";

/**
 * Maersk: estimates and no plans, a place's UN/LOCODE in the call only, the terminal as the location's name, SMDG
 * terminals, bookings and bills on all moves, document events in UTC.
 */
const maersk: CarrierForm = {
  answer: (statements, atMs) => ({
    events: statements.map((statement) => {
      const { kind, code, place, mode, voyage, booking, local } = statement;
      const common = {
        ...statedOf(statement, { planned: "EST" }),
        eventID: `${booking}-${kind}-${code}-${place?.port ?? ""}-${local}`,
      };
      if (kind === "shipment") return { ...common, eventDateTime: `${local}Z`, ...documentOf(statement) };
      return {
        ...common,
        // Vessel calls are renewed every midnight.
        ...(kind === "transport" && { eventCreatedDateTime: `${utcTime(atMs).slice(0, 10)}T00:00:00Z` }),
        ...referencesOf(["BKG", booking], ["TRD", booking]),
        ...boxOf(statement, "45G1"),
        transportCall: {
          ...(voyage !== null && { exportVoyageNumber: voyage, carrierVoyageNumber: voyage }),
          ...siteOf(statement),
          facilityCodeListProvider: "SMDG",
          ...(place !== null && {
            location: { locationName: `${townOf(place)} TERMINAL ${place.facility}` },
          }),
          modeOfTransport: mode,
          ...vesselOf(statement),
        },
      };
    }),
  }),
};

/**
 * MSC: `eventId`, `unLocationCode`, import voyages on what a vessel brings, what a move is part of in the description,
 * `eventCreatedDateTime` the time of the event itself, estimates only.
 */
const msc: CarrierForm = {
  answer: (statements) =>
    statements.toReversed().map((statement) => {
      const { kind, code, classifier, place, mode, vessel, voyage, booking, laden, statedMs } = statement;
      const [written, isActual] = [withOffset(statement), classifier === "actual"];
      const isBrought = code === "ARRI" || code === "DISC";
      const indicator = laden === null ? { emptyIndicatorCode: null } : {};
      const transportCall = {
        transportCallID: `${place?.port ?? ""}${voyage ?? ""}`,
        carrierServiceCode: null,
        exportVoyageNumber: isBrought ? null : voyage,
        importVoyageNumber: isBrought ? voyage : null,
        unLocationCode: place?.port ?? null,
        facilityCode: place?.facility ?? null,
        facilityCodeListProvider: "SMDG",
        facilityTypeCode: place?.facilityType ?? null,
        otherFacility: null,
        modeOfTransport: mode,
        vessel: vessel && { vesselIMONumber: imoOf(vessel), vesselName: vessel, vesselFlag: "LR" },
      };
      return {
        ...statedOf(statement, { planned: "EST" }),
        ...(kind === "shipment"
          ? documentOf(statement)
          : { transportCall, description: describe(statement), ...boxOf(statement, null) }),
        ...(kind === "equipment" && indicator),
        ...(kind === "equipment" && place !== null && { eventLocation: { locationName: townOf(place) } }),
        ...referencesOf(["BKG", booking], ["TRD", `SWAU${booking}`]),
        eventId: `${isActual ? "ACT" : "EST"}${written}`,
        eventCreatedDateTime: isActual
          ? written
          : new Date(statedMs).toISOString().replace(".000Z", "+00:00"),
        references: [],
      };
    }),
};

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

/**
 * Hapag-Lloyd: no event ids, no documents on moves, plans and no estimates, plans of ports passed by that stay, the place
 * in the event and in the call, terminals of its own list. Its published description has six codes of equipment, and
 * bookings confirmed and bills issued as documents.
 */
const hapagLloyd: CarrierForm = {
  keepsPlans: true,
  answer: (statements) =>
    statements.toReversed().map((statement) => {
      const { kind, code, place, mode, vessel, voyage, local, statedMs } = statement;
      const common = {
        ...statedOf(statement, { estimated: "PLN" }),
        eventCreatedDateTime: utcTime(statedMs).replace("Z", ".384Z"),
      };
      if (kind === "shipment") return { ...common, ...documentOf(statement) };
      const location = place && {
        UNLocationCode: place.port,
        locationName: townOf(place),
        address: { name: `${townOf(place)} ${place.facility}` },
      };
      return {
        ...common,
        ...boxOf(statement, "45GP"),
        eventLocation: location,
        transportCall: {
          transportCallId: `${place?.port ?? ""}-${local}-${code}`,
          modeOfTransport: mode,
          UNLocationCode: place?.port ?? null,
          facilityCode: place?.facilityType === "POTE" ? `${place.port}${place.facility}` : null,
          facilityCodeListProvider: null,
          facilityTypeCode: place?.facilityType ?? null,
          location,
          vessel: { vesselName: vessel, vesselIMONumber: vessel && imoOf(vessel) },
          importVoyageNumber: null,
          exportVoyageNumber: code === "ARRI" || code === "DISC" ? null : voyage,
        },
      };
    }),
};

/**
 * Track & Trace 3.0, and no vessel calls. Users of PIL's tracking say that it has neither departures nor arrivals: a
 * departure is the loading, an arrival the discharge. It joined the standard's association late; that it speaks 3.0 is our
 * assumption: nobody here has seen an answer of any carrier's 3.0.
 */
const pil: CarrierForm = {
  leavesOut: ({ kind }) => kind === "transport",
  answer: (statements) => ({ events: statements.map(eventOfPil) }),
};

function eventOfPil(statement: Statement): object {
  const { kind, code, classifier, place, booking, box, laden, movement, mode, vessel, voyage } = statement;
  const { document, local, statedMs, lastFreeDay } = statement;
  return {
    eventRouting: { originatingParty: { partyCode: "TESU", codeListProvider: "NMFTA", partyFunction: "CA" } },
    eventID: `${code}-${place?.port ?? document ?? ""}-${classifier}-${box}-${local}`,
    eventDateTime: withOffset(statement),
    eventUpdatedDateTime: utcTime(statedMs),
    eventClassification: {
      eventTypeCode: kind.toUpperCase(),
      eventClassifierCode: CLASSIFIERS[classifier],
      [`${kind}EventTypeCode`]: code,
    },
    shipmentDetails: {
      documentReference: { typeCode: document ?? "BKG", reference: booking },
      additionalDocumentReferences: [],
    },
    ...(place !== null && {
      eventLocation: {
        locationName: townOf(place),
        UNLocationCode: place.port,
        facility: { facilityCode: place.facility, facilityCodeListProvider: "BIC" },
        facilityTypeCode: place.facilityType,
      },
    }),
    ...(kind === "equipment" && {
      equipmentDetails: {
        equipmentReference: box,
        ISOEquipmentCode: "22G1",
        ...(laden !== null && { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
        ...(movement !== null && { movementType: movement.toUpperCase() }),
      },
      transportDetails: {
        transportCall: {
          modeOfTransport: mode,
          ...(voyage !== null && { exportVoyageNumberOrReference: { carrierVoyageNumber: voyage } }),
          ...(vessel !== null && {
            vesselTransport: { vesselName: vessel, vesselIMONumber: imoOf(vessel) },
          }),
        },
      },
      ...(lastFreeDay !== null && { lastFreeDay }),
    }),
  };
}

export const FORMS: Readonly<Record<string, CarrierForm>> = {
  "cma-cgm": cmaCgm,
  cosco,
  evergreen,
  "hapag-lloyd": hapagLloyd,
  hmm,
  maersk,
  msc,
  one,
  pil,
  "yang-ming": yangMing,
  zim,
};
