/** What a step is called in DCSA's codes, in either version. */
import type { Step } from "./fact.ts";

export type Wording = {
  readonly kind: "EQUIPMENT" | "TRANSPORT" | "SHIPMENT";
  readonly code: string;
  readonly mode: "VESSEL" | "RAIL" | "TRUCK" | null;
  readonly facilityType: "POTE" | "DEPO" | "INTE" | "ANCH" | null;
  readonly laden: boolean | null;
  readonly document: string | null;
};

function move(
  code: string,
  mode: Wording["mode"],
  facilityType: Wording["facilityType"],
  laden = true,
): Wording {
  return { kind: "EQUIPMENT", code, mode, facilityType, laden, document: null };
}

function call(code: string, mode: Wording["mode"], facilityType: Wording["facilityType"] = "POTE"): Wording {
  return { kind: "TRANSPORT", code, mode, facilityType, laden: null, document: null };
}

function paper(document: string, code: string): Wording {
  return { kind: "SHIPMENT", code, mode: null, facilityType: null, laden: null, document };
}

export const WORDING_2: Readonly<Record<Step, Wording>> = {
  booked: paper("BKG", "CONF"),
  called_off: paper("BKG", "VOID"),
  pick_up: move("GTOT", "TRUCK", "DEPO", false),
  gate_in: move("GTIN", "TRUCK", "POTE"),
  load: move("LOAD", "VESSEL", "POTE"),
  departure: call("DEPA", "VESSEL"),
  call: call("ARRI", "VESSEL"),
  call_departure: call("DEPA", "VESSEL"),
  anchorage: call("ARRI", "VESSEL", "ANCH"),
  arrival: call("ARRI", "VESSEL"),
  discharge: move("DISC", "VESSEL", "POTE"),
  hold: paper("CUS", "HOLD"),
  clearance: paper("CUS", "RELS"),
  rail_out: move("GTOT", "RAIL", "POTE"),
  rail_departure: call("DEPA", "RAIL"),
  rail_arrival: call("ARRI", "RAIL", "INTE"),
  rail_discharge: move("DISC", "RAIL", "INTE"),
  release: paper("SRM", "RELS"),
  gate_out: move("GTOT", "TRUCK", "POTE"),
  empty_return: move("GTIN", "TRUCK", "DEPO", false),
};

/** 3.0 has the customs clearance as a document, and a code for a box that can be fetched. */
export const WORDING_3: Readonly<Record<Step, Wording>> = {
  ...WORDING_2,
  called_off: paper("BKG", "CANC"),
  hold: paper("CUC", "HOLD"),
  clearance: paper("CUC", "RELS"),
  release: move("AVPU", null, "POTE"),
};
