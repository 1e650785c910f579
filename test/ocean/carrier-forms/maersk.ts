/**
 * Track & Trace 2.2 as Maersk writes it. Recorded answers show: estimates and no plans, a place's UN/LOCODE in the call
 * only, the terminal as the location's name, SMDG terminals, bookings and bills on all moves, document events in UTC.
 */
import {
  codeField,
  imoOf,
  townOf,
  utcTime,
  withOffset,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

export const maersk: CarrierForm = {
  answer: (statements, atMs) => ({ events: statements.map((statement) => event(statement, atMs)) }),
};

function event(statement: Statement, atMs: number): object {
  const { kind, code, classifier, document, booking } = statement;
  const isPlan = classifier !== "actual";
  const common = {
    eventID: `${booking}-${kind}-${code}-${statement.place?.port ?? ""}-${statement.local}`,
    eventType: kind.toUpperCase(),
    eventDateTime: kind === "shipment" ? `${statement.local}Z` : withOffset(statement),
    // Vessel calls are renewed every midnight.
    eventCreatedDateTime:
      kind === "transport" ? `${utcTime(atMs).slice(0, 10)}T00:00:00Z` : utcTime(statement.statedMs),
    eventClassifierCode: isPlan ? "EST" : "ACT",
    [codeField(statement)]: code,
  };
  if (kind === "shipment") return { ...common, documentTypeCode: document, documentID: booking };
  return {
    ...common,
    documentReferences: [
      { documentReferenceType: "BKG", documentReferenceValue: booking },
      { documentReferenceType: "TRD", documentReferenceValue: booking },
    ],
    transportCall: call(statement),
    ...(kind === "equipment" ? equipment(statement) : {}),
  };
}

function equipment({ box, laden, lastFreeDay }: Statement): object {
  return {
    equipmentReference: box,
    ISOEquipmentCode: "45G1",
    ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
    ...(lastFreeDay === null ? {} : { lastFreeDay }),
  };
}

function call({ place, mode, vessel, voyage }: Statement): object {
  return {
    ...(voyage === null ? {} : { exportVoyageNumber: voyage, carrierVoyageNumber: voyage }),
    facilityCode: place?.facility,
    facilityCodeListProvider: "SMDG",
    facilityTypeCode: place?.facilityType,
    ...(place === null ? {} : { location: { locationName: `${townOf(place)} TERMINAL ${place.facility}` } }),
    modeOfTransport: mode,
    ...(vessel === null ? {} : { vessel: { vesselIMONumber: imoOf(vessel), vesselName: vessel } }),
    UNLocationCode: place?.port,
  };
}
