/**
 * Track & Trace 2.2 as we suppose ONE to write it. Public are its membership, an early API and a tracking page whose
 * times are wall clocks of the place without an offset. The form of its answer is behind a login: envelope, a list of
 * references for the container and missing event ids are our assumption. Nobody here has seen an answer.
 */
import { CLASSIFIERS, codeField, townOf, utcTime, type CarrierForm, type Statement } from "./statement.ts";

export const one: CarrierForm = {
  answer: (statements) => ({ events: statements.map(event), count: statements.length }),
};

function event(statement: Statement): object {
  const { kind, code, classifier, place, mode, vessel, voyage, box, laden, booking } = statement;
  return {
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventClassifierCode: CLASSIFIERS[classifier],
    eventDateTime: kind === "shipment" ? `${statement.local}Z` : statement.local.replace("T", " "),
    eventCreated: utcTime(statement.statedMs),
    references: kind === "equipment" ? [{ referenceType: "EQ", referenceValue: box }] : [],
    ...(kind === "shipment" ? { documentTypeCode: statement.document, documentId: booking } : {}),
    ...(kind === "equipment" && laden !== null ? { emptyIndicatorCode: laden ? "FULL" : "EMPTY" } : {}),
    ...(statement.lastFreeDay === null ? {} : { lastFreeDate: statement.lastFreeDay }),
    documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: booking }],
    ...(place === null
      ? {}
      : {
          eventLocation: {
            UNLocationCode: place.port,
            locationName: townOf(place),
            facilityCode: place.facility,
            facilityType: place.facilityType,
          },
          transportCall: {
            modeOfTransportCode: mode,
            ...(voyage === null ? {} : { carrierVoyageNumber: voyage }),
            ...(vessel === null ? {} : { vessel: { vesselName: vessel } }),
          },
        }),
  };
}
