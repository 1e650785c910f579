/** How carriers spell the fields of DCSA's schedules, the standard's own spelling first. */
import type { JsonObject } from "../../../model/json.ts";
import { field, object, text, type FieldNames } from "../../../freight/dcsa/spelling.ts";

const SPELLING: FieldNames = {
  fields: {
    UNLocationCode: ["UNLocationCode", "unLocationCode", "unLocode"],
    facilitySMDGCode: ["facilitySMDGCode", "facilitySmdgCode"],
    carrierServiceCode: ["carrierServiceCode", "serviceCode"],
    carrierServiceName: ["carrierServiceName", "serviceName"],
    carrierImportVoyageNumber: ["carrierImportVoyageNumber", "importVoyageNumber"],
    carrierExportVoyageNumber: ["carrierExportVoyageNumber", "exportVoyageNumber", "carrierVoyageNumber"],
    vesselIMONumber: ["vesselIMONumber", "vesselImoNumber", "imoNumber"],
    vesselName: ["vesselName", "name"],
    vesselSchedules: ["vesselSchedules", "vessels"],
    transportCalls: ["transportCalls", "portCalls"],
    statusCode: ["statusCode", "portCallStatusCode"],
    eventTypeCode: ["eventTypeCode", "transportEventTypeCode"],
    cutOffTimes: ["cutOffTimes", "cutOffs"],
  },
};

export function read(from: JsonObject, standard: string): unknown {
  return field(from, standard, SPELLING);
}

/** Trimmed, at most 200 characters; null where absent, empty or no text. Numbers count as text. */
export function readText(from: JsonObject, standard: string): string | null {
  return text(from, standard, SPELLING);
}

/** Empty where it is no object. */
export function readObject(from: JsonObject, standard: string): JsonObject {
  return object(from, standard, SPELLING);
}

/** A field's name as `from` spells it: where to look for it. */
export function nameIn(from: JsonObject, standard: string): string {
  return SPELLING.fields[standard]?.find((written) => Object.hasOwn(from, written)) ?? standard;
}
