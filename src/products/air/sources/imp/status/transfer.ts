/**
 * Transfers between carriers: `RCT/KL/15NOV1430/AMS/T10K250` received, `TRM/KL/AMS/T10` to be transferred,
 * `TFD/KL/15NOV1430/AMS/T10K250/123456` transferred. The other carrier and a name follow on a line of their own:
 * `/LH/NAME`.
 */
import { advance, peek, peekOrBlank, rawTextOf, type Field, type FieldCursor } from "../field-cursor.ts";
import { isCarrier } from "../flight.ts";
import { looksLikeDay } from "../day-and-time.ts";
import { statusEvent, takeDayAndStation, takeName, takeQuantity, type ReadStatus } from "./read-fields.ts";

export const readTransfer: ReadStatus = (code, cursor, context) => {
  const first = takeCarrier(cursor);
  const handled = takeDayAndStation(cursor, context);
  if (handled === null) return null;
  const quantity = takeQuantity(cursor, context);
  const manifest = code === "TFD" ? takeManifest(cursor) : null;
  const second = takeSecondCarrier(cursor);
  const carriers = code === "RCT" ? { from: first, to: second } : { from: second, to: first };
  const party = takeName(cursor);
  return statusEvent(code, { ...handled, ...quantity, transfer: { ...carriers, manifest }, party });
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
