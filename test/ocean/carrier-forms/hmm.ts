/**
 * Track & Trace 2.2 as HMM describes it: found by booking and container together, all three kinds of event, no type of
 * container, a last free day beside the list (it has an Arrival Notice, too). The description is public in part; no
 * empty indicator, the list `items` and REQ for estimates are our assumption. Nobody here has seen an answer.
 */
import { codeField, imoOf, utcTime, withOffset, type CarrierForm, type Statement } from "./statement.ts";

export const hmm: CarrierForm = {
  answer: (statements) => {
    const lastFreeDay = statements.find((statement) => statement.lastFreeDay !== null)?.lastFreeDay ?? null;
    const free = { typeCodes: ["DEM"], calculationBasis: "CD", lastFreeDate: lastFreeDay };
    return { items: statements.map(event), ...(lastFreeDay === null ? {} : { freeTimes: [free] }) };
  },
};

const CLASSIFIERS = { actual: "ACT", estimated: "REQ", planned: "PLN" };

function event(statement: Statement): object {
  const { kind, code, classifier, place, mode, vessel, voyage, box, booking } = statement;
  return {
    eventID: `${kind}${code}${statement.local}`,
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventClassifierCode: CLASSIFIERS[classifier],
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statement.statedMs),
    ...(kind === "shipment"
      ? { documentTypeCode: statement.document, documentID: booking }
      : {
          transportCall: {
            UNLocationCode: place?.port,
            facilityCode: place?.facility,
            facilityTypeCode: place?.facilityType,
            modeOfTransport: mode,
            carrierVoyageNumber: voyage,
            ...(vessel === null ? {} : { vessel: { vesselIMONumber: imoOf(vessel), vesselName: vessel } }),
          },
        }),
    ...(kind === "equipment" ? { equipmentReference: box } : {}),
    documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: booking }],
  };
}
