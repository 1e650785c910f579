/** The fields that status lines have in common. */
import type { AirEvent, AirStatusCode } from "../../../timeline/air-event.ts";
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
  /** When the message arrived; the years of its days are inferred from it. */
  readonly receivedMs: number;
  /** The last day of an event in the message that has happened; null without any. */
  readonly lastEventMs: number | null;
  /** Of the whole waybill, from its consignment line. */
  readonly totalPieces: number | null;
  /** Of the part that the message is about; null if it is about the whole waybill. */
  readonly partPieces: number | null;
};

/** Null: the line cannot be used, and the problem was reported. */
export type ReadStatus = (
  code: AirStatusCode,
  cursor: FieldCursor,
  context: StatusContext,
) => AirEvent | null;

/** Flights are booked some weeks ahead. */
const PLANNED_AHEAD_MS_MAX = 90 * DAY_MS;

const HALF_YEAR_MS = 183 * DAY_MS;

export type WrittenDay = DayAndTime & { readonly field: Field };

/** Null if it is omitted; fails if a day is meant that does not exist. */
export function takeDay(cursor: FieldCursor): WrittenDay | null {
  const field = peek(cursor);
  if (field === null || !looksLikeDay(field.capitals)) return null;
  const read = dayAndTimeIn(field.capitals);
  if (read === null) return failAt(cursor, field, "a day and a time such as 15NOV1430");
  advance(cursor);
  return { ...(read.minutes === null ? withTime(cursor, field, read) : read), field };
}

/** Some airlines write a slant between the day and the time. */
function withTime(cursor: FieldCursor, { capitals }: Field, day: DayAndTime): DayAndTime {
  const time = peekOrBlank(cursor);
  const read =
    time !== null && /^\d\d:?\d\d/.test(time.capitals) ? dayAndTimeIn(capitals + time.capitals) : null;
  if (read === null) return day;
  advance(cursor);
  return read;
}

/** @returns days since 1970, without the day change. */
export function dayOf(
  cursor: FieldCursor,
  when: WrittenDay,
  context: StatusContext,
  tense: "past" | "planned",
): number | null {
  const near = tense === "past" ? pastDay(when, context.receivedMs) : plannedDay(when, context);
  return near ?? failAt(cursor, when.field, "a day that exists near the date of this message");
}

/** Ahead, unless that is far from the last event: an airline may report an old booking again. */
function plannedDay(when: DayAndTime, { receivedMs, lastEventMs }: StatusContext): number | null {
  const ahead = dayNear(when.day, when.month, receivedMs, PLANNED_AHEAD_MS_MAX);
  if (ahead === null || lastEventMs === null) return ahead;
  return ahead * DAY_MS > lastEventMs + HALF_YEAR_MS ? pastDay(when, receivedMs) : ahead;
}

/** The day and the station of an event that has happened, at midnight if only the day is given. Null: failed. */
export function takeDayAndStation(
  cursor: FieldCursor,
  context: StatusContext,
): Pick<AirEvent, "station" | "at" | "timeIs"> | null {
  const when = takeDay(cursor);
  if (cursor.failed) return null;
  const station = takeStation(cursor);
  if (cursor.failed) return null;
  const day = when === null ? null : dayOf(cursor, when, context, "past");
  if (cursor.failed) return null;
  if (when === null || day === null) return { station, at: null, timeIs: null };
  return { station, at: timeAt(station, day + when.daysLater, when.minutes ?? 0), timeIs: "actual" };
}

/** Null if the field is blank or the quantity comes at once: the event counts even without its station. */
export function takeStation(cursor: FieldCursor): string | null {
  const atOnce = peekOrBlank(cursor);
  const field = peek(cursor);
  if (field !== null && isAirport(field.capitals)) {
    advance(cursor);
    return field.capitals;
  }
  if (field !== null && (field !== atOnce || looksLikeQuantity(field.capitals))) {
    reportAt(cursor, field, "an airport of three letters is missing here");
    return null;
  }
  return failAt(cursor, field, "an airport of three letters");
}

export function isAirport(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** If it is missing, reports that. */
export function takeQuantity(cursor: FieldCursor, context: StatusContext): Partial<Quantity> {
  const field = peek(cursor);
  if (field === null || !looksLikeQuantity(field.capitals)) {
    reportAt(
      cursor,
      field,
      `a quantity such as T10K250 is expected here, not ${quoted(field?.capitals ?? "")}`,
    );
    return missingQuantity(field, context);
  }
  advance(cursor);
  const { quantity, error } = quantityIn(field.capitals);
  if (error !== null) {
    cursor.report(field.line, field.index + error.index, `${error.expected} is expected here`);
  }
  const whole = quantity.shipmentPart === "total" ? quantity.pieces : null;
  const totalPieces = ownTotal(quantity) ?? context.totalPieces ?? whole;
  // In a message about a part, T is all of that part.
  const isPart = whole !== null && context.partPieces !== null && whole <= context.partPieces;
  return { ...quantity, shipmentPart: isPart ? "part" : quantity.shipmentPart, totalPieces };
}

/** `P5T5` names the part twice, and not the waybill's pieces. */
function ownTotal({ shipmentPart, pieces, totalPieces }: Quantity): number | null {
  return shipmentPart !== "total" && pieces === totalPieces ? null : totalPieces;
}

/** That of the message; what may be an unreadable one may be of a part, unless its code is T. */
function missingQuantity(field: Field | null, context: StatusContext): Partial<Quantity> {
  const { totalPieces, partPieces: pieces } = context;
  if (pieces !== null) return { shipmentPart: "part", pieces, totalPieces };
  const isUnreadable = field !== null && /^[^T].*\d|^\d/.test(field.capitals);
  return { totalPieces, ...(isUnreadable ? { shipmentPart: "part" } : {}) };
}

/** Null if it is omitted, with or without its slant, or if it is no designator: a truck may have any name. */
export function takeDesignator(cursor: FieldCursor): Designator | null {
  const field = peekOrBlank(cursor);
  if (field === null || looksLikeDay(field.capitals)) return null;
  if (field.capitals.length === 6 && /^[A-Z]+$/.test(field.capitals)) return null;
  advance(cursor);
  if (field.capitals === "") return null;
  const read = designatorIn(field.capitals) ?? splitDesignator(cursor, field);
  if (read === null && !isCarrier(field.capitals)) {
    reportAt(cursor, field, `a flight such as LH400 is expected here, not ${quoted(field.capitals)}`);
  }
  return read;
}

/** Some airlines write a slant between the carrier and the number. */
function splitDesignator(cursor: FieldCursor, carrier: Field): Designator | null {
  const number = peekOrBlank(cursor);
  if (number === null || !isCarrier(carrier.capitals)) return null;
  const read = designatorIn(carrier.capitals + number.capitals);
  if (read !== null) advance(cursor);
  return read;
}

/** The rest as a name, with its lines and slants; null if there is none. */
export function takeName(cursor: FieldCursor): string | null {
  let name = "";
  let before: Field | null = null;
  for (let field = peek(cursor); field !== null; field = peek(cursor)) {
    const joint = before === null ? "" : before.line === field.line ? "/" : " ";
    name += joint + rawTextOf(field);
    before = field;
    advance(cursor);
  }
  return name === "" ? null : name;
}

export function reportRest(cursor: FieldCursor): void {
  const field = peek(cursor);
  if (field !== null) reportAt(cursor, field, `nothing more is expected here, but ${quoted(field.capitals)}`);
}
