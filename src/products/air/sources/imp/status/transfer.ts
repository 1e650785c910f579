/**
 * From one carrier's hands into another's: `RCT/KL/15NOV1430/AMS/T10K250` received by transfer, `TRM/KL/AMS/T10`
 * to be transferred, `TFD/KL/15NOV1430/AMS/T10K250/123456` transferred. The other carrier and a name follow on
 * a line of their own: `/LH/NAME`.
 */
import { advance, peek, peekOrBlank, rawTextOf, type Field, type FieldCursor } from "../field-cursor.ts";
import { isCarrier } from "../flight.ts";
import { looksLikeDay } from "../day-and-time.ts";
import {
  statusEvent,
  happenedAt,
  takeDay,
  takeName,
  takeQuantity,
  takeStation,
  type ReadStatus,
} from "./read-fields.ts";

export const readTransfer: ReadStatus = (code, fields, context) => {
  const first = takeCarrier(fields);
  const when = takeDay(fields);
  const station = fields.failed ? null : takeStation(fields);
  const at = fields.failed ? null : happenedAt(fields, when, station, context);
  if (fields.failed) return null;
  const quantity = takeQuantity(fields, context);
  const manifest = code === "TFD" ? takeManifest(fields) : null;
  const second = takeSecondCarrier(fields);
  const carriers = code === "RCT" ? { from: first, to: second } : { from: second, to: first };
  const party = takeName(fields);
  const timeIs = at === null ? null : "actual";
  return statusEvent(code, { station, at, timeIs, ...quantity, transfer: { ...carriers, manifest }, party });
};

/** Of two characters; three letters are a carrier's only where a day follows, else an airport's. */
function takeCarrier(fields: FieldCursor): string | null {
  const field = peekOrBlank(fields);
  const next = fields.all[fields.next + 1];
  if (field === null || !isCarrier(field.capitals)) return null;
  if (field.capitals.length === 3 && (next === undefined || !looksLikeDay(next.capitals))) return null;
  advance(fields);
  return field.capitals;
}

/** Six digits by the book; carriers write their own references too. */
function takeManifest(fields: FieldCursor): string | null {
  const field = peek(fields);
  if (field === null || field.continued || isOtherCarrier(field)) return null;
  advance(fields);
  return rawTextOf(field);
}

function takeSecondCarrier(fields: FieldCursor): string | null {
  const field = peek(fields);
  if (field === null || !isOtherCarrier(field)) return null;
  advance(fields);
  return field.capitals;
}

function isOtherCarrier({ capitals }: Field): boolean {
  return capitals.length === 2 && isCarrier(capitals);
}
