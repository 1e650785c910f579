/**
 * Track & Trace 2.2 as we suppose ZIM to write it: all times in plain UTC. Public are its adoption of the standard and a
 * portal behind a login; programs that read its tracking page find times in UTC and no numbers of vessels. Nobody here
 * has seen an answer of its API.
 */
import {
  CLASSIFIERS,
  codeField,
  inUtc,
  townOf,
  utcTime,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

export const zim: CarrierForm = {
  answer: (statements) => ({ data: statements.map(event) }),
};

function event(statement: Statement): object {
  const { kind, code, classifier, place, mode, vessel, voyage, box, laden, booking } = statement;
  return {
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventClassifierCode: CLASSIFIERS[classifier],
    eventDateTime: inUtc(statement),
    eventCreatedDateTime: utcTime(statement.statedMs),
    ...(kind === "shipment" ? { documentTypeCode: statement.document, documentID: booking } : {}),
    ...(kind === "equipment"
      ? {
          equipmentReference: box,
          ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
          ...(statement.lastFreeDay === null ? {} : { lastFreeDay: statement.lastFreeDay }),
        }
      : {}),
    documentReferences: [
      { documentReferenceType: "BKG", documentReferenceValue: booking },
      { documentReferenceType: "TRD", documentReferenceValue: `TESU${booking}` },
    ],
    ...(kind === "shipment"
      ? {}
      : {
          transportCall: {
            UNLocationCode: place?.port,
            facilityCode: place?.facility,
            facilityTypeCode: place?.facilityType,
            modeOfTransport: mode,
            exportVoyageNumber: voyage,
            ...(vessel === null ? {} : { vessel: { vesselName: vessel } }),
            ...(place === null ? {} : { location: { locationName: townOf(place) } }),
          },
        }),
  };
}
