import {
  CLASSIFIERS,
  imoOf,
  townOf,
  utcTime,
  withOffset,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

/**
 * Track & Trace 3.0, and no vessel calls. Users of PIL's tracking say that it has neither departures nor arrivals: a
 * departure is the loading, an arrival the discharge. It joined the standard's association late; that it speaks 3.0 is our
 * assumption: nobody here has seen an answer of any carrier's 3.0.
 */
export const pil: CarrierForm = {
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
