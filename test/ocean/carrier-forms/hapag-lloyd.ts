/**
 * Track & Trace 2.2 as Hapag-Lloyd writes it. Recorded answers show: no event ids, no documents on moves, plans and no
 * estimates, plans of ports passed by that stay, the place in the event and in the call, terminals of its own list.
 * Its published description has six codes of equipment, and bookings confirmed and bills issued as documents.
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

export const hapagLloyd: CarrierForm = {
  keepsPlans: true,
  answer: (statements) => statements.toReversed().map(event),
};

function event(statement: Statement): object {
  const { kind, code, classifier, document, booking } = statement;
  const common = {
    eventType: kind.toUpperCase(),
    [codeField(statement)]: code,
    eventClassifierCode: classifier === "actual" ? "ACT" : "PLN",
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statement.statedMs).replace("Z", ".384Z"),
  };
  if (kind === "shipment") return { ...common, documentTypeCode: document, documentID: booking };
  return {
    ...common,
    ...(kind === "equipment" ? equipment(statement) : {}),
    eventLocation: location(statement),
    transportCall: call(statement),
  };
}

function equipment({ box, laden, lastFreeDay }: Statement): object {
  return {
    equipmentReference: box,
    ISOEquipmentCode: "45GP",
    ...(laden === null ? {} : { emptyIndicatorCode: laden ? "LADEN" : "EMPTY" }),
    ...(lastFreeDay === null ? {} : { lastFreeDay }),
  };
}

function location({ place }: Statement): object | null {
  if (place === null) return null;
  return {
    UNLocationCode: place.port,
    locationName: townOf(place),
    address: { name: `${townOf(place)} ${place.facility}` },
  };
}

function call(statement: Statement): object {
  const { code, place, mode, vessel, voyage } = statement;
  const isBringing = code === "ARRI" || code === "DISC";
  return {
    transportCallId: `${place?.port ?? ""}-${statement.local}-${code}`,
    modeOfTransport: mode,
    UNLocationCode: place?.port ?? null,
    facilityCode: place?.facilityType === "POTE" ? `${place.port}${place.facility}` : null,
    facilityCodeListProvider: null,
    facilityTypeCode: place?.facilityType ?? null,
    location: location(statement),
    vessel: { vesselName: vessel, vesselIMONumber: vessel === null ? null : imoOf(vessel) },
    importVoyageNumber: null,
    exportVoyageNumber: isBringing ? null : voyage,
  };
}
