/** What a step is called in DCSA's codes, in either version. */
import type { Step } from "./fact.ts";

export type DcsaCodes = {
  readonly kind: "EQUIPMENT" | "TRANSPORT" | "SHIPMENT";
  readonly code: string;
  readonly mode: "VESSEL" | "RAIL" | "TRUCK" | "BARGE" | null;
  readonly facilityType: "POTE" | "DEPO" | "INTE" | "ANCH" | null;
  readonly laden: boolean | null;
  readonly document: string | null;
};

function equipmentEvent(
  code: string,
  mode: DcsaCodes["mode"],
  facilityType: DcsaCodes["facilityType"],
  laden = true,
): DcsaCodes {
  return { kind: "EQUIPMENT", code, mode, facilityType, laden, document: null };
}

function transportEvent(
  code: string,
  mode: DcsaCodes["mode"],
  facilityType: DcsaCodes["facilityType"] = "POTE",
): DcsaCodes {
  return { kind: "TRANSPORT", code, mode, facilityType, laden: null, document: null };
}

function shipmentEvent(document: string, code: string): DcsaCodes {
  return { kind: "SHIPMENT", code, mode: null, facilityType: null, laden: null, document };
}

export const DCSA_CODES_2: Readonly<Record<Step, DcsaCodes>> = {
  booked: shipmentEvent("BKG", "CONF"),
  called_off: shipmentEvent("BKG", "VOID"),
  pick_up: equipmentEvent("GTOT", "TRUCK", "DEPO", false),
  gate_in: equipmentEvent("GTIN", "TRUCK", "POTE"),
  load: equipmentEvent("LOAD", "VESSEL", "POTE"),
  put_on: equipmentEvent("LOAD", "VESSEL", "POTE"),
  taken_off: equipmentEvent("DISC", "VESSEL", "POTE"),
  left: transportEvent("DEPA", "VESSEL"),
  departure: transportEvent("DEPA", "VESSEL"),
  call: transportEvent("ARRI", "VESSEL"),
  call_departure: transportEvent("DEPA", "VESSEL"),
  anchorage: transportEvent("ARRI", "VESSEL", "ANCH"),
  arrival: transportEvent("ARRI", "VESSEL"),
  passed: transportEvent("DEPA", "VESSEL"),
  discharge: equipmentEvent("DISC", "VESSEL", "POTE"),
  next_call: transportEvent("ARRI", "VESSEL"),
  truck_out: equipmentEvent("GTOT", "TRUCK", "POTE"),
  truck_in: equipmentEvent("GTIN", "TRUCK", "POTE"),
  barge_out: equipmentEvent("GTOT", "BARGE", "POTE"),
  barge_in: equipmentEvent("GTIN", "BARGE", "POTE"),
  train_out: equipmentEvent("GTOT", "RAIL", "POTE"),
  train_in: equipmentEvent("GTIN", "RAIL", "POTE"),
  hold: shipmentEvent("CUS", "HOLD"),
  clearance: shipmentEvent("CUS", "RELS"),
  rail_out: equipmentEvent("GTOT", "RAIL", "POTE"),
  rail_departure: transportEvent("DEPA", "RAIL"),
  rail_arrival: transportEvent("ARRI", "RAIL", "INTE"),
  rail_discharge: equipmentEvent("DISC", "RAIL", "INTE"),
  release: shipmentEvent("SRM", "RELS"),
  gate_out: equipmentEvent("GTOT", "TRUCK", "POTE"),
  empty_return: equipmentEvent("GTIN", "TRUCK", "DEPO", false),
};

/** 3.0 has the customs clearance as a document, and a code for a box that can be fetched. */
export const DCSA_CODES_3: Readonly<Record<Step, DcsaCodes>> = {
  ...DCSA_CODES_2,
  called_off: shipmentEvent("BKG", "CANC"),
  hold: shipmentEvent("CUC", "HOLD"),
  clearance: shipmentEvent("CUC", "RELS"),
  release: equipmentEvent("AVPU", null, "POTE"),
};
