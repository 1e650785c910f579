/**
 * Track & Trace 3.0 groups the fields of 2.2: `eventClassification`, `shipmentDetails`, `transportDetails`,
 * `equipmentDetails`. Flattened, an event of 3.0 is read as one of 2.2.
 */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";

export function isVersion3(raw: JsonObject, spelling: Spelling): boolean {
  return isObject(field(raw, "eventClassification", spelling));
}

export function flattenVersion3(raw: JsonObject, spelling: Spelling): JsonObject {
  const read = (from: JsonObject, name: string): string | null => text(from, name, spelling);
  const classification = object(raw, "eventClassification", spelling);
  const shipmentDetails = object(raw, "shipmentDetails", spelling);
  const equipment = object(raw, "equipmentDetails", spelling);
  const transport = object(raw, "transportDetails", spelling);
  const location = object(raw, "eventLocation", spelling);
  const point = object(location, "geoCoordinate", spelling);
  const primary = object(shipmentDetails, "documentReference", spelling);
  return {
    eventType: read(classification, "eventTypeCode"),
    eventClassifierCode: read(classification, "eventClassifierCode"),
    equipmentEventTypeCode: read(classification, "equipmentEventTypeCode"),
    transportEventTypeCode: read(classification, "transportEventTypeCode"),
    shipmentEventTypeCode: read(classification, "shipmentEventTypeCode"),
    eventDateTime: read(raw, "eventDateTime"),
    eventCreatedDateTime: read(raw, "eventUpdatedDateTime"),
    equipmentReference: read(equipment, "equipmentReference"),
    ISOEquipmentCode: read(equipment, "ISOEquipmentCode"),
    emptyIndicatorCode: read(equipment, "emptyIndicatorCode"),
    movementType: read(equipment, "movementType"),
    documentTypeCode: documentType(read(primary, "typeCode")),
    documentReferences: documents(shipmentDetails, primary, spelling),
    eventLocation: {
      UNLocationCode: read(location, "UNLocationCode"),
      locationName: read(location, "locationName"),
      facilityCode: read(object(location, "facility", spelling), "facilityCode"),
      facilityTypeCode: read(location, "facilityTypeCode"),
      latitude: read(point, "latitude"),
      longitude: read(point, "longitude"),
    },
    transportCall: flatCall(object(transport, "transportCall", spelling), spelling),
  };
}

/** Customs clearance in 3.0 is customs inspection in 2.2. */
function documentType(code: string | null): string | null {
  return code?.toUpperCase() === "CUC" ? "CUS" : code;
}

function documents(
  shipmentDetails: JsonObject,
  primary: JsonObject,
  spelling: Spelling,
): readonly JsonObject[] {
  const more = field(shipmentDetails, "additionalDocumentReferences", spelling);
  return [primary, ...(Array.isArray(more) ? more : [])].filter(isObject).map((reference) => ({
    documentReferenceType: text(reference, "typeCode", spelling),
    documentReferenceValue: text(reference, "reference", spelling),
  }));
}

function flatCall(call: JsonObject, spelling: Spelling): JsonObject {
  const vessel = object(call, "vesselTransport", spelling);
  const voyage = (name: string): string | null => {
    const number = object(call, name, spelling);
    return (
      text(number, "carrierVoyageNumber", spelling) ?? text(number, "universalVoyageReference", spelling)
    );
  };
  return {
    modeOfTransport: text(call, "modeOfTransport", spelling),
    exportVoyageNumber: voyage("exportVoyageNumberOrReference"),
    importVoyageNumber: voyage("importVoyageNumberOrReference"),
    vessel: {
      vesselName: text(vessel, "vesselName", spelling),
      vesselIMONumber: text(vessel, "vesselIMONumber", spelling),
    },
  };
}
