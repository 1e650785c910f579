/** Handling at an airport: `RCS/15NOV1430/FRA/T10K250/SHIPPER`, and FOH, NFD, AWD, DLV, DDL, CCD, CRC and TGC alike. */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { reportAt, advance, peek, rawTextOf, type FieldCursor } from "../field-cursor.ts";
import { designatorIn } from "../flight.ts";
import { looksLikeDay } from "../day-and-time.ts";
import { dateOf } from "../station-time.ts";
import { volumeOrDensityIn, type Quantity } from "../quantity.ts";
import {
  dayOf,
  takeDay,
  takeDayAndStation,
  takeDesignator,
  takeName,
  takeQuantity,
  type StatusContext,
  type ReadStatus,
} from "./read-fields.ts";
import { inForm } from "../../event-form.ts";

type TakeMore = (cursor: FieldCursor, context: StatusContext) => Partial<AirEvent>;

const receiptReader =
  (takeMore: TakeMore): ReadStatus =>
  (code, cursor, context) => {
    const flight = takeFlight(cursor);
    const handled = takeDayAndStation(cursor, context);
    if (handled === null) return null;
    const quantity = takeQuantity(cursor, context);
    const more = takeMore(cursor, context);
    if (cursor.failed) return null;
    const party = takeName(cursor) ?? more.party ?? null;
    return inForm(code, { ...handled, flight, ...quantity, ...more, party });
  };

export const readReceipt = receiptReader(() => ({}));

/** With volume or density group in a field of its own, also on the next line: `/MC1.2`. */
export const readAcceptance = receiptReader(takeVolume);

/** With the flight that was reported: `/LH400/15NOV/FRAJFK`. */
export const readCustomsReport = receiptReader(takeMovement);

/** Some airlines write the flight before the day, as in an arrival. */
function takeFlight(cursor: FieldCursor): AirEvent["flight"] {
  const first = peek(cursor);
  const read = first === null ? null : designatorIn(first.capitals);
  const next = cursor.all[cursor.next + 1];
  if (read === null || next === undefined || !looksLikeDay(next.capitals)) return null;
  advance(cursor);
  return { ...read, date: null };
}

function takeVolume(cursor: FieldCursor): Partial<AirEvent> {
  const names: string[] = [];
  const volumes: Partial<Quantity>[] = [];
  for (let field = peek(cursor); field !== null; field = peek(cursor)) {
    const volume = volumeOrDensityIn(field.capitals);
    if (volume === null) names.push(rawTextOf(field));
    else volumes.push(volume);
    advance(cursor);
  }
  const party = names.length === 0 ? null : names.join("/");
  return Object.assign({ party }, ...volumes);
}

function takeMovement(cursor: FieldCursor, context: StatusContext): Partial<AirEvent> {
  const first = peek(cursor);
  if (first === null || !looksLikeMovement(first.capitals)) return {};
  const designator = takeDesignator(cursor);
  const when = takeDay(cursor);
  const day = when === null ? null : dayOf(cursor, when, context, "planned");
  if (cursor.failed) return {};
  const leg = peek(cursor);
  const airports = leg === null ? null : /^([A-Z]{3})([A-Z]{3})$/.exec(leg.capitals);
  if (airports === null) reportAt(cursor, leg, "two airports of three letters each are missing here");
  else advance(cursor);
  const flight = designator === null ? null : { ...designator, date: day === null ? null : dateOf(day) };
  return { flight, from: airports?.[1] ?? null, to: airports?.[2] ?? null };
}

function looksLikeMovement(text: string): boolean {
  return designatorIn(text) !== null || looksLikeDay(text) || /^[A-Z]{6}$/.test(text);
}
