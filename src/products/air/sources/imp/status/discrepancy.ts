/** What is not as it should be: `DIS/LH400/15NOV1430/JFK/MSCA/P2K50`. */
import { complain, taken, upcoming, type Fields } from "../fields.ts";
import { isMeantAsQuantity } from "../quantity.ts";
import {
  complainOfRest,
  event,
  happenedAt,
  takeDay,
  takeDesignator,
  takeQuantity,
  takeStation,
  type ReadStatus,
} from "./reading.ts";

const DISCREPANCY = /^[A-Z]{4}$/;

/** The day is of the discrepancy, not of the flight. */
export const readDiscrepancy: ReadStatus = (code, fields, context) => {
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const station = fields.lost ? null : takeStation(fields);
  const at = fields.lost ? null : happenedAt(fields, when, station, context);
  if (fields.lost) return null;
  const early = isTurned(fields) ? takeQuantity(fields, context) : null;
  const discrepancy = takeDiscrepancy(fields);
  const quantity = early ?? takeQuantity(fields, context);
  complainOfRest(fields);
  const flight = designator === null ? null : { ...designator, date: null };
  return event(code, {
    station,
    at,
    timeIs: at === null ? null : "actual",
    flight,
    discrepancy,
    ...quantity,
  });
};

/** Some write the quantity before the code. */
function isTurned(fields: Fields): boolean {
  const isFirst = isMeantAsQuantity(upcoming(fields)?.capitals ?? "");
  return isFirst && DISCREPANCY.test(fields.all[fields.next + 1]?.capitals ?? "");
}

/** Four letters; new ones are made up from edition to edition. */
function takeDiscrepancy(fields: Fields): string | null {
  const field = upcoming(fields);
  if (field === null || !DISCREPANCY.test(field.capitals)) {
    complain(fields, field, "a discrepancy code of four letters is missing here");
    return null;
  }
  taken(fields);
  return field.capitals;
}
