/**
 * Track & Trace 2.2 as we suppose Yang Ming to write it. Public is the version only. Our assumption: vessels without a
 * name or number, which only the voyage distinguishes; document events without a classifier; codes that the standard does not
 * have. Nobody here has seen an answer.
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

export const yangMing: CarrierForm = {
  answer: (statements, atMs) => [...statements.map(event), internalMove(statements, atMs)],
};

function event(statement: Statement): object {
  const { kind, code, classifier, place, mode, voyage, box, laden, booking } = statement;
  const common = {
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statement.statedMs),
    documentReferences: [{ documentReferenceType: "CBR", documentReferenceValue: booking }],
  };
  if (kind === "shipment") return { ...common, documentTypeCode: statement.document, documentID: booking };
  return {
    ...common,
    eventClassifierCode: CLASSIFIERS[classifier],
    transportCall: {
      modeOfTransport: mode,
      exportVoyageNumber: voyage,
      facilityTypeCode: place?.facilityType,
      location: {
        UNLocationCode: place?.port,
        ...(place === null ? {} : { locationName: townOf(place) }),
        facilityCode: place?.facility,
      },
    },
    ...(kind === "equipment"
      ? {
          equipmentReference: box,
          ...(laden === null ? {} : { emptyIndicatorCode: laden ? "FULL" : "EMPTY" }),
          ...(statement.lastFreeDay === null ? {} : { lastFreeDay: statement.lastFreeDay }),
        }
      : {}),
  };
}

/** A weighing within the terminal of the last move, by a code that nobody knows. */
function internalMove(statements: readonly Statement[], atMs: number): object {
  const last = statements.findLast(({ kind, classifier }) => kind === "equipment" && classifier === "actual");
  if (last === undefined) return { eventType: "IOT" };
  const written = event({ ...last, code: "WGHT", statedMs: atMs, mode: null, vessel: null, voyage: null });
  return { ...written, equipmentEventTypeCode: "WGHT" };
}
