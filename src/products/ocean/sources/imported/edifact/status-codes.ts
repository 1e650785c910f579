/**
 * What the status codes of an IFTSTA mean (DE 4405, in older directories 9011). Numbers are UN/CEFACT Recommendation 24,
 * letters the shipment status codes of ASC X12 (element 157), which carriers and portals write in the same place. A code
 * that is not here is refused: its definition tells no milestone, or more than one. For users, with the sources:
 * docs/importing-milestones.md.
 */
import type { Mode } from "../../../../../freight/dcsa/spelling.ts";
import { milestoneNamed } from "../milestone-names.ts";

/** Of one transport: by the mode that the message states, a vessel where it states none. */
type ByMode = Readonly<Record<Mode, string>>;

const ARRIVED: ByMode = {
  vessel: "vessel_arrived",
  rail: "rail_arrived",
  truck: "truck_arrived",
  barge: "barge_arrived",
};
const DEPARTED: ByMode = {
  vessel: "vessel_departed",
  rail: "rail_departed",
  truck: "truck_departed",
  barge: "barge_departed",
};
const LOADED: ByMode = {
  vessel: "loaded_on_vessel",
  rail: "loaded_on_rail",
  truck: "loaded_on_truck",
  barge: "loaded_on_barge",
};
const UNLOADED: ByMode = {
  vessel: "discharged",
  rail: "unloaded_from_rail",
  truck: "unloaded_from_truck",
  barge: "unloaded_from_barge",
};

const CODES: Readonly<Record<string, string | ByMode>> = {
  "1": ARRIVED,
  "6": "booking_confirmed",
  "7": "booking_cancelled",
  "12": "customs_released",
  "13": "gate_out",
  "16": "border_crossing",
  "17": "customs_hold",
  "21": "delivered",
  "22": "delivered",
  "24": DEPARTED,
  "28": "stripped",
  "29": UNLOADED,
  "48": LOADED,
  "93": "stuffed",
  "94": "stuffed",
  "127": DEPARTED,
  "346": UNLOADED,
  "359": "bill_issued",
  A: ARRIVED,
  AE: "loaded_on_vessel",
  AF: "gate_out",
  AL: "loaded_on_rail",
  AM: "loaded_on_truck",
  AO: "loaded_on_barge",
  AP: "loaded_on_vessel",
  AR: "rail_arrived",
  AV: "available",
  BF: "booking_confirmed",
  C: "etd",
  CR: "carrier_release",
  CT: "customs_released",
  D: "delivered",
  E: "eta",
  EE: "empty_out",
  I: "gate_in",
  OA: "gate_out",
  RD: "empty_return",
  RL: "rail_departed",
  UR: "unloaded_from_rail",
  UV: "discharged",
  VA: "vessel_arrived",
  VD: "vessel_departed",
};

/** Codes that tell no milestone by themselves, though they seem to: what they leave open. */
const UNCERTAIN: Readonly<Record<string, string>> = {
  "40": "goods have arrived at a port: by a vessel or through a gate, it does not say",
  "46": "goods are moved into bond",
  "47": "goods are moved to a packing depot",
  P: "a shipment has left a terminal of the carrier: by vessel, train or truck, it does not say",
};

/** Null: nothing is known of the code. */
export function uncertaintyOf(code: string): string | null {
  const key = code.toUpperCase();
  return Object.hasOwn(UNCERTAIN, key) ? UNCERTAIN[key]! : null;
}

/**
 * The name of a milestone, by its code, else by the words that the message writes beside it (DE 4404); null: neither is
 * known. DCSA's codes and plain names are known in either place.
 */
export function milestoneOfStatus(code: string, words: string, mode: Mode | null): string | null {
  const key = code.toUpperCase();
  const found = Object.hasOwn(CODES, key) ? CODES[key]! : null;
  if (found !== null) return typeof found === "string" ? found : found[mode ?? "vessel"];
  return [code, words].find((name) => name !== "" && milestoneNamed(name) !== null) ?? null;
}

/** DE 8067. */
const MODES: Readonly<Record<string, Mode>> = { "1": "vessel", "2": "rail", "3": "truck", "8": "barge" };

export function modeOf(code: string): Mode | null {
  return Object.hasOwn(MODES, code) ? MODES[code]! : null;
}
