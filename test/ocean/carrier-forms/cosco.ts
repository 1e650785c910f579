/**
 * COSCO's tracking as an adapter would translate it to 2.2. It has an interface of its own: places by its own codes and
 * names, no UN/LOCODE, and, as its users say, no vessel calls. Adapter and field names are our assumption.
 */
import {
  CLASSIFIERS,
  codeField,
  townOf,
  utcTime,
  withOffset,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

export const cosco: CarrierForm = {
  leavesOut: ({ kind }) => kind === "transport",
  answer: (statements) => ({ data: statements.map(event) }),
};

function event(statement: Statement): object {
  const { kind, code, classifier, place, mode, vessel, voyage, box, laden, booking } = statement;
  return {
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventClassifierCode: CLASSIFIERS[classifier],
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statement.statedMs),
    ...(kind === "shipment" ? { documentTypeCode: statement.document, documentID: booking } : {}),
    documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: booking }],
    ...(place === null
      ? {}
      : { eventLocation: { locationName: townOf(place), facilityCode: place.facility } }),
    ...(kind === "shipment"
      ? {}
      : {
          transportCall: {
            facilityTypeCode: place?.facilityType,
            modeOfTransport: mode,
            carrierVoyageNumber: voyage,
            ...(vessel === null ? {} : { vessel: { vesselName: vessel } }),
          },
        }),
    ...(kind === "equipment"
      ? {
          equipmentReference: box,
          ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
          ...(statement.lastFreeDay === null ? {} : { lastFreeDay: statement.lastFreeDay }),
        }
      : {}),
  };
}
