/**
 * Track & Trace 2.2 as CMA CGM describes it: no document events, a move's meaning in words (discharged in
 * transshipment), estimates of vessel calls and plans of all calls, inland moves for the parties of the booking only.
 * Nobody here has seen an answer: envelope, order and time form are the standard's.
 */
import {
  CLASSIFIERS,
  codeField,
  imoOf,
  townOf,
  utcTime,
  withOffset,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

export const cmaCgm: CarrierForm = {
  leavesOut: ({ kind }) => kind === "shipment",
  answer: (statements) => statements.map(event),
};

function event(statement: Statement): object {
  const { kind, code, classifier, place, mode, vessel, voyage, box, laden, booking } = statement;
  return {
    eventID: `${code}${statement.local}${place?.port ?? ""}${classifier}`,
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventClassifierCode: CLASSIFIERS[classifier],
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statement.statedMs),
    description: describe(statement),
    documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: booking }],
    ...(kind === "equipment"
      ? {
          equipmentReference: box,
          ISOEquipmentCode: "22G1",
          ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
          ...(statement.lastFreeDay === null ? {} : { lastFreeDay: statement.lastFreeDay }),
        }
      : {}),
    transportCall: {
      UNLocationCode: place?.port,
      facilityCode: place?.facility,
      facilityTypeCode: place?.facilityType,
      modeOfTransport: mode,
      exportVoyageNumber: voyage,
      importVoyageNumber: voyage,
      ...(vessel === null ? {} : { vessel: { vesselName: vessel, vesselIMONumber: Number(imoOf(vessel)) } }),
      ...(place === null ? {} : { location: { locationName: townOf(place), UNLocationCode: place.port } }),
    },
  };
}

function describe({ code, movement, laden }: Statement): string {
  if (code === "DISC") return movement === "transshipment" ? "Discharged in transshipment" : "Discharged";
  if (code === "LOAD") return "Loaded on board";
  if (code === "GTIN") return laden === false ? "Container empty returned" : "Gate in at port terminal";
  return code === "GTOT"
    ? laden === false
      ? "Empty picked-up at depot"
      : "Gate out to consignee"
    : "Vessel call";
}
