/**
 * Track & Trace 2.2 as Evergreen describes it: `PLAN` in its examples, SMDG terminals, no word of transshipment. Users of
 * its tracking say that it has days without times; they are written as midnights of the place. Nobody here has seen
 * an answer of its API.
 */
import { codeField, imoOf, utcTime, withOffset, type CarrierForm, type Statement } from "./statement.ts";

export const evergreen: CarrierForm = {
  answer: (statements) => ({ data: statements.map(event) }),
};

const CLASSIFIERS = { actual: "ACT", estimated: "EST", planned: "PLAN" };

function event(given: Statement): object {
  const statement =
    given.kind === "shipment" ? given : { ...given, local: `${given.local.slice(0, 10)}T00:00:00` };
  const { kind, code, classifier, place, mode, vessel, voyage, box, laden, booking } = statement;
  return {
    eventID: [booking, code, classifier, statement.local, place?.port].join("/"),
    eventType: kind.toUpperCase(),
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statement.statedMs),
    eventClassifierCode: CLASSIFIERS[classifier],
    [codeField(statement)]: code,
    ...(kind === "shipment" ? { documentTypeCode: statement.document, documentID: booking } : {}),
    ...(kind === "equipment"
      ? {
          equipmentReference: box,
          ISOEquipmentCode: "42G1",
          ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
          ...(statement.lastFreeDay === null ? {} : { lastFreeDay: statement.lastFreeDay }),
        }
      : {}),
    ...(kind === "transport" ? { delayReasonCode: null, changeRemark: null } : {}),
    documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: booking }],
    ...(kind === "shipment"
      ? {}
      : {
          transportCall: {
            carrierVoyageNumber: voyage,
            UNLocationCode: place?.port,
            facilityCode: place?.facility,
            facilityCodeListProvider: "SMDG",
            facilityTypeCode: place?.facilityType,
            modeOfTransport: mode,
            ...(vessel === null ? {} : { vessel: { vesselIMONumber: imoOf(vessel), vesselName: vessel } }),
          },
        }),
  };
}
