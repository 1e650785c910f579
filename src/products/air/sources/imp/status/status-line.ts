/** Reads a status line by the shape that its code has. */
import type { AirEvent, AirStatusCode } from "../../../timeline/air-event.ts";
import {
  advance,
  type Field,
  type FieldCursor,
  fieldsAfter,
  peek,
  peekOrBlank,
  rawTextOf,
  reportAt,
} from "../field-cursor.ts";
import type { JoinedLine } from "../lines.ts";
import type { Report } from "../problem.ts";
import { readArrival, readRelease } from "./arrival.ts";
import { readDeparture } from "./departure.ts";
import {
  type ReadStatus,
  reportRest,
  type StatusContext,
  takeDayAndStation,
  takeDesignator,
  takeName,
  takeQuantity,
} from "./read-fields.ts";
import { inForm } from "../../event-form.ts";
import { readAcceptance, readCustomsReport, readReceipt } from "./receipt.ts";
import { looksLikeQuantity } from "../quantity.ts";
import { isCarrier } from "../flight.ts";
import { looksLikeDay } from "../day-and-time.ts";

/**
 * Transfers between carriers: `RCT/KL/15NOV1430/AMS/T10K250` received, `TRM/KL/AMS/T10` to be transferred,
 * `TFD/KL/15NOV1430/AMS/T10K250/123456` transferred. The other carrier and a name follow on a line of their own:
 * `/LH/NAME`.
 */
const readTransfer: ReadStatus = (code, cursor, context) => {
  const first = takeCarrier(cursor);
  const handled = takeDayAndStation(cursor, context);
  if (handled === null) return null;
  const quantity = takeQuantity(cursor, context);
  const manifest = code === "TFD" ? takeManifest(cursor) : null;
  const second = takeSecondCarrier(cursor);
  const carriers = code === "RCT" ? { from: first, to: second } : { from: second, to: first };
  const party = takeName(cursor);
  return inForm(code, { ...handled, ...quantity, transfer: { ...carriers, manifest }, party });
};

/** Three letters are a carrier only before a day, else an airport. */
function takeCarrier(cursor: FieldCursor): string | null {
  const field = peekOrBlank(cursor);
  const next = cursor.all[cursor.next + 1];
  if (field === null || !isCarrier(field.capitals)) return null;
  if (field.capitals.length === 3 && (next === undefined || !looksLikeDay(next.capitals))) return null;
  advance(cursor);
  return field.capitals;
}

/** Six digits by the standard; some carriers write references of their own. */
function takeManifest(cursor: FieldCursor): string | null {
  const field = peek(cursor);
  if (field === null || field.continued || isOtherCarrier(field)) return null;
  advance(cursor);
  return rawTextOf(field);
}

function takeSecondCarrier(cursor: FieldCursor): string | null {
  const field = peek(cursor);
  if (field === null || !isOtherCarrier(field)) return null;
  advance(cursor);
  return field.capitals;
}

function isOtherCarrier({ capitals }: Field): boolean {
  return capitals.length === 2 && isCarrier(capitals);
}

/** Discrepancies: `DIS/LH400/15NOV1430/JFK/MSCA/P2K50`. */
const DISCREPANCY = /^[A-Z]{4}$/;

/** The day is of the discrepancy, not of the flight. */
const readDiscrepancy: ReadStatus = (code, cursor, context) => {
  const designator = takeDesignator(cursor);
  const handled = takeDayAndStation(cursor, context);
  if (handled === null) return null;
  const early = isQuantityFirst(cursor) ? takeQuantity(cursor, context) : null;
  const discrepancy = takeDiscrepancy(cursor);
  const quantity = early ?? takeQuantity(cursor, context);
  reportRest(cursor);
  const flight = designator === null ? null : { ...designator, date: null };
  return inForm(code, { ...handled, flight, discrepancy, ...quantity });
};

/** Some airlines write the quantity before the code. */
function isQuantityFirst(cursor: FieldCursor): boolean {
  const isFirst = looksLikeQuantity(peek(cursor)?.capitals ?? "");
  return isFirst && DISCREPANCY.test(cursor.all[cursor.next + 1]?.capitals ?? "");
}

/** Any four letters, since editions of the standard add codes. */
function takeDiscrepancy(cursor: FieldCursor): string | null {
  const field = peek(cursor);
  if (field === null || !DISCREPANCY.test(field.capitals)) {
    reportAt(cursor, field, "a discrepancy code of four letters is missing here");
    return null;
  }
  advance(cursor);
  return field.capitals;
}

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
