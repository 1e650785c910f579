/** What is not as it should be: `DIS/LH400/15NOV1430/JFK/MSCA/P2K50`. */
import { reportAt, advance, peek, type FieldCursor } from "../field-cursor.ts";
import { looksLikeQuantity } from "../quantity.ts";
import {
  reportRest,
  statusEvent,
  happenedAt,
  takeDay,
  takeDesignator,
  takeQuantity,
  takeStation,
  type ReadStatus,
} from "./read-fields.ts";

const DISCREPANCY = /^[A-Z]{4}$/;

/** The day is of the discrepancy, not of the flight. */
export const readDiscrepancy: ReadStatus = (code, fields, context) => {
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const station = fields.failed ? null : takeStation(fields);
  const at = fields.failed ? null : happenedAt(fields, when, station, context);
  if (fields.failed) return null;
  const early = isQuantityFirst(fields) ? takeQuantity(fields, context) : null;
  const discrepancy = takeDiscrepancy(fields);
  const quantity = early ?? takeQuantity(fields, context);
  reportRest(fields);
  const flight = designator === null ? null : { ...designator, date: null };
  return statusEvent(code, {
    station,
    at,
    timeIs: at === null ? null : "actual",
    flight,
    discrepancy,
    ...quantity,
  });
};

/** Some write the quantity before the code. */
function isQuantityFirst(fields: FieldCursor): boolean {
  const isFirst = looksLikeQuantity(peek(fields)?.capitals ?? "");
  return isFirst && DISCREPANCY.test(fields.all[fields.next + 1]?.capitals ?? "");
}

/** Four letters; new ones are made up from edition to edition. */
function takeDiscrepancy(fields: FieldCursor): string | null {
  const field = peek(fields);
  if (field === null || !DISCREPANCY.test(field.capitals)) {
    reportAt(fields, field, "a discrepancy code of four letters is missing here");
    return null;
  }
  advance(fields);
  return field.capitals;
}
