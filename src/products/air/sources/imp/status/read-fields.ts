/** What the readers of status lines have in common: each takes its fields and gives an event. */
import type { LocalTime } from "../../../../../freight/places/local-time.ts";
import { EMPTY_EVENT, type AirEvent, type AirStatusCode } from "../../../timeline/air-event.ts";
import {
  reportAt,
  failAt,
  advance,
  peek,
  peekOrBlank,
  rawTextOf,
  type Field,
  type FieldCursor,
} from "../field-cursor.ts";
import { designatorIn, isCarrier, type Designator } from "../flight.ts";
import { dayAndTimeIn, looksLikeDay, type DayAndTime } from "../day-and-time.ts";
import { quoted } from "../problem.ts";
import { looksLikeQuantity, quantityIn, type Quantity } from "../quantity.ts";
import { dayNear, pastDay, timeAt } from "../station-time.ts";
import { DAY_MS } from "../../../../../runtime/durations.ts";

export type StatusContext = {
  /** When the message came: the years of its days are inferred from it. */
  readonly receivedMs: number;
  /** The last day on which the message says that something happened; null where it tells of none. */
  readonly lastEventMs: number | null;
  /** Of the whole waybill, as its consignment line tells. */
  readonly totalPieces: number | null;
  /** Of the part of the waybill that the message is about; null where it is about the whole. */
  readonly partPieces: number | null;
};

/** Null: the line says nothing that can be relied on; what is wrong with it has been reported. */
export type ReadStatus = (
  code: AirStatusCode,
  fields: FieldCursor,
  context: StatusContext,
) => AirEvent | null;

/** Flights are booked some weeks ahead. */
const PLANNED_AHEAD_MS_MAX = 90 * DAY_MS;

const HALF_YEAR_MS = 183 * DAY_MS;

export function statusEvent(code: AirStatusCode, said: Partial<AirEvent>): AirEvent {
  return { ...EMPTY_EVENT, ...said, code };
}

/** A day as it is written, and where. */
export type WrittenDay = DayAndTime & { readonly field: Field };

/** Null where it is left out, or lost where what is there is no day. */
export function takeDay(fields: FieldCursor): WrittenDay | null {
  const field = peek(fields);
  if (field === null || !looksLikeDay(field.capitals)) return null;
  const read = dayAndTimeIn(field.capitals);
  if (read === null) return failAt(fields, field, "a day and a time such as 15NOV1430");
  advance(fields);
  return { ...(read.minutes === null ? withTime(fields, field, read) : read), field };
}

/** Some write a slant between the day and the time. */
function withTime(fields: FieldCursor, { capitals }: Field, day: DayAndTime): DayAndTime {
  const time = peekOrBlank(fields);
  const read =
    time !== null && /^\d\d:?\d\d/.test(time.capitals) ? dayAndTimeIn(capitals + time.capitals) : null;
  if (read === null) return day;
  advance(fields);
  return read;
}

/** @returns days since 1970, of the day that is written, whatever the day change. */
export function dayOf(
  fields: FieldCursor,
  when: WrittenDay,
  context: StatusContext,
  is: "told" | "planned",
): number | null {
  const near = is === "told" ? pastDay(when, context.receivedMs) : plannedDay(when, context);
  return near ?? failAt(fields, when.field, "a day that a year near this message has");
}

/** Ahead, or past where that is far from what has happened: an airline may tell again what was long ago. */
function plannedDay(when: DayAndTime, { receivedMs, lastEventMs }: StatusContext): number | null {
  const ahead = dayNear(when.day, when.month, receivedMs, PLANNED_AHEAD_MS_MAX);
  if (ahead === null || lastEventMs === null) return ahead;
  return ahead * DAY_MS > lastEventMs + HALF_YEAR_MS ? pastDay(when, receivedMs) : ahead;
}

/** When something happened: at midnight where only the day is told. */
export function happenedAt(
  fields: FieldCursor,
  when: WrittenDay | null,
  station: string | null,
  context: StatusContext,
): LocalTime | null {
  const day = when === null ? null : dayOf(fields, when, context, "told");
  if (when === null || day === null) return null;
  return timeAt(station, day + when.daysLater, when.minutes ?? 0);
}

/** Null where the field is blank, or the quantity comes at once: the event is worth more than its place. */
export function takeStation(fields: FieldCursor): string | null {
  const atOnce = peekOrBlank(fields);
  const field = peek(fields);
  if (field !== null && isAirport(field.capitals)) {
    advance(fields);
    return field.capitals;
  }
  if (field !== null && (field !== atOnce || looksLikeQuantity(field.capitals))) {
    reportAt(fields, field, "an airport of three letters is missing here");
    return null;
  }
  return failAt(fields, field, "an airport of three letters");
}

export function isAirport(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** With nulls, and a problem reported, where it is missing. */
export function takeQuantity(
  fields: FieldCursor,
  context: StatusContext,
): Omit<Quantity, "totalPieces"> & Totals {
  const field = peek(fields);
  if (field === null || !looksLikeQuantity(field.capitals)) {
    reportAt(
      fields,
      field,
      `a quantity such as T10K250 is expected here, not ${quoted(field?.capitals ?? "")}`,
    );
    return { ...NO_QUANTITY, totalPieces: context.totalPieces };
  }
  advance(fields);
  const { quantity, error } = quantityIn(field.capitals);
  if (error !== null) {
    fields.report(field.line, field.index + error.index, `${error.expected} is expected here`);
  }
  const whole = quantity.shipmentPart === "total" ? quantity.pieces : null;
  const totalPieces = quantity.totalPieces ?? context.totalPieces ?? whole;
  // Where the message is about a part, T is all of that part.
  const isPart = whole !== null && context.partPieces !== null && whole <= context.partPieces;
  return { ...quantity, shipmentPart: isPart ? "part" : quantity.shipmentPart, totalPieces };
}

type Totals = { readonly totalPieces: number | null };

const NO_QUANTITY: Omit<Quantity, "totalPieces"> = {
  shipmentPart: null,
  pieces: null,
  weightKg: null,
  volumeM3: null,
  densityGroup: null,
};

/**
 * Null where it is left out, with or without its slant, where only the carrier is told, and where it is none: a
 * truck may have any name.
 */
export function takeDesignator(fields: FieldCursor): Designator | null {
  const field = peekOrBlank(fields);
  if (field === null || looksLikeDay(field.capitals)) return null;
  if (field.capitals.length === 6 && /^[A-Z]+$/.test(field.capitals)) return null;
  advance(fields);
  if (field.capitals === "") return null;
  const read = designatorIn(field.capitals) ?? splitDesignator(fields, field);
  if (read === null && !isCarrier(field.capitals)) {
    reportAt(fields, field, `a flight such as LH400 is expected here, not ${quoted(field.capitals)}`);
  }
  return read;
}

/** Some write a slant between the carrier and the number. */
function splitDesignator(fields: FieldCursor, carrier: Field): Designator | null {
  const number = peekOrBlank(fields);
  if (number === null || !isCarrier(carrier.capitals)) return null;
  const read = designatorIn(carrier.capitals + number.capitals);
  if (read !== null) advance(fields);
  return read;
}

/** The rest as a name, lines and slants put together again; null where there is none. */
export function takeName(fields: FieldCursor): string | null {
  let name = "";
  let before: Field | null = null;
  for (let field = peek(fields); field !== null; field = peek(fields)) {
    const joint = before === null ? "" : before.line === field.line ? "/" : " ";
    name += joint + rawTextOf(field);
    before = field;
    advance(fields);
  }
  return name === "" ? null : name;
}

/** What nothing is known to be said by. */
export function reportRest(fields: FieldCursor): void {
  const field = peek(fields);
  if (field !== null) reportAt(fields, field, `nothing more is expected here, but ${quoted(field.capitals)}`);
}
