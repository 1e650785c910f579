/**
 * What happens to freight at an airport, between people: `RCS/15NOV1430/FRA/T10K250/SHIPPER` and, of the same
 * shape, FOH, NFD, AWD, DLV, DDL, CCD, CRC and TGC.
 */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { reportAt, advance, peek, rawTextOf, type FieldCursor } from "../field-cursor.ts";
import { designatorIn } from "../flight.ts";
import { looksLikeDay } from "../day-and-time.ts";
import { dateOf } from "../station-time.ts";
import { volumeOrDensityIn, type Quantity } from "../quantity.ts";
import {
  dayOf,
  statusEvent,
  happenedAt,
  takeDay,
  takeDesignator,
  takeName,
  takeQuantity,
  takeStation,
  type StatusContext,
  type ReadStatus,
} from "./read-fields.ts";

export const readReceipt: ReadStatus = (code, fields, context) =>
  readReceiptLine(code, fields, context, takeNothing);

/** Volume or density group, in a field of its own or on the next line: `/MC1.2`. */
export const readAcceptance: ReadStatus = (code, fields, context) =>
  readReceiptLine(code, fields, context, takeVolume);

/** Then the flight that it was reported for: `/LH400/15NOV/FRAJFK`. */
export const readCustomsReport: ReadStatus = (code, fields, context) =>
  readReceiptLine(code, fields, context, takeMovement);

type TakeMore = (fields: FieldCursor, context: StatusContext) => Partial<AirEvent>;

function readReceiptLine(
  code: AirEvent["code"],
  fields: FieldCursor,
  context: StatusContext,
  takeMore: TakeMore,
) {
  const flight = takeFlight(fields);
  const when = takeDay(fields);
  const station = fields.failed ? null : takeStation(fields);
  const at = fields.failed ? null : happenedAt(fields, when, station, context);
  if (fields.failed) return null;
  const quantity = takeQuantity(fields, context);
  const more = takeMore(fields, context);
  if (fields.failed) return null;
  const party = takeName(fields) ?? more.party ?? null;
  const timeIs = at === null ? null : "actual";
  return statusEvent(code, { station, at, timeIs, flight, ...quantity, ...more, party });
}

/** Some write the flight before the day, as where something comes off one. */
function takeFlight(fields: FieldCursor): AirEvent["flight"] {
  const first = peek(fields);
  const read = first === null ? null : designatorIn(first.capitals);
  const next = fields.all[fields.next + 1];
  if (read === null || next === undefined || !looksLikeDay(next.capitals)) return null;
  advance(fields);
  return { ...read, date: null };
}

const takeNothing: TakeMore = () => ({});

function takeVolume(fields: FieldCursor): Partial<AirEvent> {
  const names: string[] = [];
  const volumes: Partial<Quantity>[] = [];
  for (let field = peek(fields); field !== null; field = peek(fields)) {
    const volume = volumeOrDensityIn(field.capitals);
    if (volume === null) names.push(rawTextOf(field));
    else volumes.push(volume);
    advance(fields);
  }
  const party = names.length === 0 ? null : names.join("/");
  return Object.assign({ party }, ...volumes);
}

function takeMovement(fields: FieldCursor, context: StatusContext): Partial<AirEvent> {
  const first = peek(fields);
  if (first === null || !looksLikeMovement(first.capitals)) return {};
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const day = when === null ? null : dayOf(fields, when, context, "planned");
  if (fields.failed) return {};
  const leg = peek(fields);
  const airports = leg === null ? null : /^([A-Z]{3})([A-Z]{3})$/.exec(leg.capitals);
  if (airports === null) reportAt(fields, leg, "two airports of three letters each are missing here");
  else advance(fields);
  const flight = designator === null ? null : { ...designator, date: day === null ? null : dateOf(day) };
  return { flight, from: airports?.[1] ?? null, to: airports?.[2] ?? null };
}

function looksLikeMovement(text: string): boolean {
  return designatorIn(text) !== null || looksLikeDay(text) || /^[A-Z]{6}$/.test(text);
}
