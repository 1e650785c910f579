/** The names of Cargo-IMP's status codes (spec 2.6: events). */
import type { AirEvent, AirStatusCode } from "./air-event.ts";

const NAMES: Readonly<Record<AirStatusCode, string>> = {
  BKD: "Booked",
  FOH: "Freight on hand",
  RCS: "Received from shipper",
  RCT: "Received from other carrier",
  PRE: "Prepared for loading",
  MAN: "Manifested",
  DEP: "Departed",
  ARR: "Arrived",
  RCF: "Received from flight",
  TRM: "To be transferred to other carrier",
  TFD: "Transferred to other carrier",
  NFD: "Consignee notified",
  AWR: "Documents received",
  AWD: "Documents delivered",
  CRC: "Reported to customs",
  CCD: "Cleared by customs",
  TGC: "Transferred to customs",
  DLV: "Delivered",
  DDL: "Delivered to the door",
  DIS: "Discrepancy",
};

/** Cargo-IMP's discrepancy codes. */
const DISCREPANCIES: Readonly<Record<string, string>> = {
  DFLD: "definitely loaded",
  FDAV: "found mail documents",
  FDAW: "found air waybill",
  FDCA: "found cargo",
  FDMB: "found mailbag",
  MSAV: "missing mail documents",
  MSAW: "missing air waybill",
  MSCA: "missing cargo",
  MSMB: "missing mailbag",
  OFLD: "offloaded",
  OVCD: "overcarried",
  SSPD: "short-shipped",
};

export function eventNameOf({ code, discrepancy }: AirEvent): string {
  const name = NAMES[code];
  if (discrepancy === null) return name;
  return `${name}: ${DISCREPANCIES[discrepancy] ?? discrepancy}`;
}
