/**
 * What happens to freight at an airport, between people: `RCS/15NOV1430/FRA/T10K250/SHIPPER` and, of the same
 * shape, FOH, NFD, AWD, DLV, DDL, CCD, CRC and TGC.
 */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { complain, taken, upcoming, writtenIn, type Fields } from "../fields.ts";
import { designatorIn } from "../flight.ts";
import { isMeantAsDay } from "../moments.ts";
import { dateOf } from "../station-clock.ts";
import { volumeOrDensityIn, type Quantity } from "../quantity.ts";
import {
  dayOf,
  event,
  happenedAt,
  takeDay,
  takeDesignator,
  takeName,
  takeQuantity,
  takeStation,
  type Context,
  type ReadStatus,
} from "./reading.ts";

export const readReceipt: ReadStatus = (code, fields, context) => receipt(code, fields, context, takeNothing);

/** Volume or density group, in a field of its own or on the next line: `/MC1.2`. */
export const readAcceptance: ReadStatus = (code, fields, context) =>
  receipt(code, fields, context, takeVolume);

/** Then the flight that it was reported for: `/LH400/15NOV/FRAJFK`. */
export const readReport: ReadStatus = (code, fields, context) => receipt(code, fields, context, takeMovement);

type TakeMore = (fields: Fields, context: Context) => Partial<AirEvent>;

function receipt(code: AirEvent["code"], fields: Fields, context: Context, takeMore: TakeMore) {
  const flight = takeFlight(fields);
  const when = takeDay(fields);
  const station = fields.lost ? null : takeStation(fields);
  const at = fields.lost ? null : happenedAt(fields, when, station, context);
  if (fields.lost) return null;
  const quantity = takeQuantity(fields, context);
  const more = takeMore(fields, context);
  if (fields.lost) return null;
  const party = takeName(fields) ?? more.party ?? null;
  const timeIs = at === null ? null : "actual";
  return event(code, { station, at, timeIs, flight, ...quantity, ...more, party });
}

/** Some write the flight before the day, as where something comes off one. */
function takeFlight(fields: Fields): AirEvent["flight"] {
  const first = upcoming(fields);
  const read = first === null ? null : designatorIn(first.capitals);
  const next = fields.all[fields.next + 1];
  if (read === null || next === undefined || !isMeantAsDay(next.capitals)) return null;
  taken(fields);
  return { ...read, date: null };
}

const takeNothing: TakeMore = () => ({});

function takeVolume(fields: Fields): Partial<AirEvent> {
  const names: string[] = [];
  const volumes: Partial<Quantity>[] = [];
  for (let field = upcoming(fields); field !== null; field = upcoming(fields)) {
    const volume = volumeOrDensityIn(field.capitals);
    if (volume === null) names.push(writtenIn(field));
    else volumes.push(volume);
    taken(fields);
  }
  const party = names.length === 0 ? null : names.join("/");
  return Object.assign({ party }, ...volumes);
}

function takeMovement(fields: Fields, context: Context): Partial<AirEvent> {
  const first = upcoming(fields);
  if (first === null || !isMeantAsMovement(first.capitals)) return {};
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const day = when === null ? null : dayOf(fields, when, context, "announced");
  if (fields.lost) return {};
  const leg = upcoming(fields);
  const airports = leg === null ? null : /^([A-Z]{3})([A-Z]{3})$/.exec(leg.capitals);
  if (airports === null) complain(fields, leg, "two airports of three letters each are missing here");
  else taken(fields);
  const flight = designator === null ? null : { ...designator, date: day === null ? null : dateOf(day) };
  return { flight, from: airports?.[1] ?? null, to: airports?.[2] ?? null };
}

function isMeantAsMovement(text: string): boolean {
  return designatorIn(text) !== null || isMeantAsDay(text) || /^[A-Z]{6}$/.test(text);
}
