/** Reads a status line by the shape that its code has. */
import type { AirEvent, AirStatusCode } from "../../../timeline/air-event.ts";
import { fieldsAfter } from "../field-cursor.ts";
import type { JoinedLine } from "../lines.ts";
import type { Report } from "../problem.ts";
import { readArrival, readRelease } from "./arrival.ts";
import { readDeparture } from "./departure.ts";
import { readDiscrepancy } from "./discrepancy.ts";
import type { StatusContext, ReadStatus } from "./read-fields.ts";
import { readAcceptance, readReceipt, readCustomsReport } from "./receipt.ts";
import { readTransfer } from "./transfer.ts";

const READERS: Readonly<Record<AirStatusCode, ReadStatus>> = {
  BKD: readDeparture,
  PRE: readDeparture,
  MAN: readDeparture,
  DEP: readDeparture,
  RCS: readAcceptance,
  FOH: readAcceptance,
  RCT: readTransfer,
  TRM: readTransfer,
  TFD: readTransfer,
  RCF: readArrival,
  ARR: readArrival,
  AWR: readArrival,
  FIW: readArrival,
  FOW: readRelease,
  DPU: readReceipt,
  DOC: readReceipt,
  NFD: readReceipt,
  AWD: readReceipt,
  DLV: readReceipt,
  DDL: readReceipt,
  CCD: readReceipt,
  TGC: readReceipt,
  CRC: readCustomsReport,
  DIS: readDiscrepancy,
};

const CODE_CHARS = 3;

export function isStatusCode(code: string): code is AirStatusCode {
  return Object.hasOwn(READERS, code);
}

/** Codes that announce an event. */
export function isPlannedCode(code: string): boolean {
  return code === "BKD" || code === "PRE" || code === "MAN";
}

/** Null: the line cannot be used, and the problem was reported. */
export function readStatus(
  code: AirStatusCode,
  line: JoinedLine,
  context: StatusContext,
  report: Report,
): AirEvent | null {
  return READERS[code](code, fieldsAfter(CODE_CHARS, line, report), context);
}
