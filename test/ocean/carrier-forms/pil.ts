/**
 * Track & Trace 3.0, and no vessel calls. Users of PIL's tracking say that it has neither departures nor arrivals: a
 * departure is the loading, an arrival the discharge. It joined the standard's association late; that it speaks 3.0 is our
 * assumption, and nobody here has seen an answer of it, nor of any carrier's 3.0.
 */
import {
  CLASSIFIERS,
  imoOf,
  townOf,
  utcTime,
  withOffset,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

export const pil: CarrierForm = {
  leavesOut: ({ kind }) => kind === "transport",
  answer: (statements) => ({ events: statements.map(event) }),
};

function event(statement: Statement): object {
  const { kind, code, classifier, place, booking, box, laden, movement } = statement;
  return {
    eventRouting: { originatingParty: { partyCode: "TESU", codeListProvider: "NMFTA", partyFunction: "CA" } },
    eventID: `${code}-${place?.port ?? statement.document ?? ""}-${classifier}-${box}-${statement.local}`,
    eventDateTime: withOffset(statement),
    eventUpdatedDateTime: utcTime(statement.statedMs),
    eventClassification: {
      eventTypeCode: kind.toUpperCase(),
      eventClassifierCode: CLASSIFIERS[classifier],
      [`${kind}EventTypeCode`]: code,
    },
    shipmentDetails: {
      documentReference: { typeCode: statement.document ?? "BKG", reference: booking },
      additionalDocumentReferences: [],
    },
    ...(place === null
      ? {}
      : {
          eventLocation: {
            locationName: townOf(place),
            UNLocationCode: place.port,
            facility: { facilityCode: place.facility, facilityCodeListProvider: "BIC" },
            facilityTypeCode: place.facilityType,
          },
        }),
    ...(kind === "equipment"
      ? {
          equipmentDetails: {
            equipmentReference: box,
            ISOEquipmentCode: "22G1",
            ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
            ...(movement === null ? {} : { movementType: movement.toUpperCase() }),
          },
          transportDetails: { transportCall: call(statement) },
          ...(statement.lastFreeDay === null ? {} : { lastFreeDay: statement.lastFreeDay }),
        }
      : {}),
  };
}

function call({ mode, vessel, voyage }: Statement): object {
  return {
    modeOfTransport: mode,
    ...(voyage === null ? {} : { exportVoyageNumberOrReference: { carrierVoyageNumber: voyage } }),
    ...(vessel === null ? {} : { vesselTransport: { vesselName: vessel, vesselIMONumber: imoOf(vessel) } }),
  };
}
