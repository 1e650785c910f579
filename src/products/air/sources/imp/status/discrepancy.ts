/** Discrepancies: `DIS/LH400/15NOV1430/JFK/MSCA/P2K50`. */
import { reportAt, advance, peek, type FieldCursor } from "../field-cursor.ts";
import { looksLikeQuantity } from "../quantity.ts";
import {
  reportRest,
  statusEvent,
  takeDayAndStation,
  takeDesignator,
  takeQuantity,
  type ReadStatus,
} from "./read-fields.ts";

const DISCREPANCY = /^[A-Z]{4}$/;

/** The day is of the discrepancy, not of the flight. */
export const readDiscrepancy: ReadStatus = (code, cursor, context) => {
  const designator = takeDesignator(cursor);
  const handled = takeDayAndStation(cursor, context);
  if (handled === null) return null;
  const early = isQuantityFirst(cursor) ? takeQuantity(cursor, context) : null;
  const discrepancy = takeDiscrepancy(cursor);
  const quantity = early ?? takeQuantity(cursor, context);
  reportRest(cursor);
  const flight = designator === null ? null : { ...designator, date: null };
  return statusEvent(code, { ...handled, flight, discrepancy, ...quantity });
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
