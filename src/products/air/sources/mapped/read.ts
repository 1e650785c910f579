/** An answer of an airline's own API → a statement, by the mapping in the airlines file. */
import { localTimeAt, type LocalTime } from "../../../../freight/places/local-time.ts";
import { stationZone } from "../../../../freight/places/stations.ts";
import { compileTimePattern, type ReadByPattern } from "../../../../freight/places/time-pattern.ts";
import { isObject } from "../../../../model/json.ts";
import {
  MILESTONES,
  type AirEvent,
  type AirStatusCode,
  type TimeIndicator,
  type WaybillStatement,
} from "../../timeline/air-event.ts";
import { FLIGHT_PLAN_CODES } from "../../timeline/event-order.ts";
import type { AnswerMapping, MappedSource } from "../airlines/airline-schema.ts";
import { departureOf, DEPARTURES, inForm, placedIn, type Movement } from "../event-form.ts";
import { designatorIn } from "../imp/flight.ts";
import { quoted } from "../imp/problem.ts";
import { readDateTime } from "../one-record/values.ts";
import { isTrueAt, textAtPointers, valuesAt } from "./values.ts";
import { countIn, kilogramsIn, stationIn } from "./written.ts";

const EVENTS_MAX = 500;

type Report = (message: string) => void;

/** Null: the answer says nothing of any waybill. */
export function readMapped(
  answer: unknown,
  awb: string,
  { waybill, events: eventsAt }: MappedSource["answer"],
  mapping: AnswerMapping,
): { readonly statement: WaybillStatement; readonly problems: readonly string[] } | "other_waybill" | null {
  const [root] = valuesAt(answer, waybill.at ?? "");
  const written = textAtPointers(root, waybill.awb, "")?.replaceAll(/\D/g, "");
  if (written !== undefined && written !== awb) return "other_waybill";
  const problems: string[] = [];
  const listed = eventsIn(valuesAt(root, eventsAt), mapping);
  const patterns = (mapping.times ?? []).flatMap((pattern) => compileTimePattern(pattern) ?? []);
  const reading = createReading(mapping, patterns, (message) => problems.push(message));
  const pieces = reading.count("pieces", textAtPointers(root, waybill.pieces, ""));
  const events = listed.slice(0, EVENTS_MAX).flatMap((value, index) => {
    const own = createReading(mapping, patterns, (message) =>
      problems.push(`${eventsAt}/${index}: ${message}`),
    );
    const event = readEvent(value, mapping, pieces, own);
    return event === null ? [] : [event];
  });
  if (listed.length > EVENTS_MAX) problems.push(`${eventsAt}: no more than ${EVENTS_MAX} events are read`);
  const origin = reading.station("origin", textAtPointers(root, waybill.origin, ""));
  if (listed.length === 0 && pieces === null && origin === null) return null;
  const destination = reading.station("destination", textAtPointers(root, waybill.destination, ""));
  const weightKg = reading.kilograms(textAtPointers(root, waybill.weight, ""));
  return {
    statement: { awb, origin, destination, pieces, weightKg, events },
    problems: [...new Set(problems)],
  };
}

/** What is no event itself may have them under names of its own. */
function eventsIn(values: readonly unknown[], { code }: AnswerMapping): readonly unknown[] {
  const isEvent = (value: unknown): boolean => textAtPointers(value, code, " ") !== null;
  return values.flatMap((value) => {
    const members = isObject(value) && !isEvent(value) ? Object.values(value) : [];
    return members.some(isEvent) ? members : [value];
  });
}

/** What is written and cannot be read is reported by the name of its field. */
function createReading(
  { weightUnit = "KGM" }: AnswerMapping,
  patterns: readonly ReadByPattern[],
  report: Report,
) {
  const readable = <Value>(name: string, text: string | null, value: Value | null, form: string) => {
    if (text !== null && value === null) report(`${name} ${quoted(text)} is no ${form}`);
    return value;
  };
  return {
    report,
    station: (name: string, text: string | null) =>
      readable(name, text, text === null ? null : stationIn(text), "airport of three letters"),
    count: (name: string, text: string | null) =>
      readable(name, text, text === null ? null : countIn(text), "whole number"),
    kilograms: (text: string | null) =>
      readable("weight", text, text === null ? null : kilogramsIn(text, weightUnit), "weight"),
    time: (name: string, text: string | null, zone: string | null, station: string | null) => {
      const written = patterns.flatMap((read) => read(text ?? "") ?? [])[0] ?? text;
      return readable(name, text, written === null ? null : readTime(written, zone, station), "date-time");
    },
  };
}

type Reading = ReturnType<typeof createReading>;

/** Null: it is none, or its time is written and cannot be read, so that nobody knows whether it has come. */
function readEvent(
  value: unknown,
  mapping: AnswerMapping,
  totalPieces: number | null,
  reading: Reading,
): AirEvent | null {
  const { report } = reading;
  const code = codeOf(value, mapping, report);
  if (code === null) return null;
  const text = (name: TextField, joint = ""): string | null => textAtPointers(value, mapping[name], joint);
  const zone = text("zone");
  const timeAt = (name: "time" | "planned" | "departure" | "arrival", station: string | null) =>
    reading.time(name, text(name, "T"), zone, station);
  const place = (name: "from" | "to" | "station"): string | null => reading.station(name, text(name));
  const [from, to, station] = [place("from"), place("to"), place("station")];
  const isTimed = text("time", "T") !== null;
  const isAhead =
    isTrueAt(value, mapping.isPlanned) ||
    isUntimed(value, mapping) ||
    (!isTimed && text("planned", "T") !== null);
  const indicator = indicatorOf(text("timeIs")) ?? (isAhead ? "scheduled" : null);
  const isPlanned =
    isAhead || (indicator !== null && indicator !== "actual" && !FLIGHT_PLAN_CODES.includes(code));
  const scheduled = timeAt("departure", from);
  const own = isTimed ? "time" : "planned";
  const occurrence = (of: string | null) => timeAt(own, of);
  // A departure is when it happened, whatever was scheduled; other statuses name their flight by its schedule.
  const departure = code === "DEP" ? (occurrence(from ?? station) ?? scheduled) : scheduled;
  const movement: Movement = {
    ...{ designator: designatorIn(text("flight")?.toUpperCase() ?? ""), carrier: null, from, to, station },
    ...{ departure, departureIs: departure === null ? null : indicator },
    ...{ date: (scheduled ?? departure)?.local.slice(0, "YYYY-MM-DD".length) ?? null },
    ...{ arrival: timeAt("arrival", to), arrivalIs: null },
    ...{ occurrence, occurrenceIs: indicator ?? "actual", isTimed: isTimed && !isPlanned },
  };
  const placed = DEPARTURES.includes(code) ? departureOf(code, movement) : placedIn(code, movement, null);
  const isUnplaced = DEPARTURES.includes(code) && from === null && station === null;
  if (isUnplaced) report(`${code} without an airport: not read`);
  const known = { ...placed, ...quantityOf(text, reading, totalPieces), party: text("party") };
  const event =
    placed === null
      ? null
      : inForm(code, { ...known, discrepancy: code === "DIS" ? text("discrepancy") : null });
  return event !== null && isPlanned ? { ...event, timeIs: indicator ?? "scheduled", planned: true } : event;
}

/** Where events have times of their own, one that has no part of any, nor of its flight's, has not happened. */
function isUntimed(value: unknown, { time, departure, arrival }: AnswerMapping): boolean {
  const pointers = [time ?? [], departure ?? [], arrival ?? []].flat();
  return time !== undefined && pointers.every((pointer) => textAtPointers(value, pointer, "") === null);
}

type TextField = Exclude<keyof AnswerMapping, "codes" | "weightUnit" | "isPlanned" | "times">;

/** By the table, else the word itself; null in the table: not reported. */
function codeOf(
  value: unknown,
  { code: at, codes = {} }: AnswerMapping,
  report: Report,
): AirStatusCode | null {
  const word = textAtPointers(value, at, " ") ?? "";
  const named = Object.keys(codes).find((one) => one.toUpperCase() === word.toUpperCase());
  const code = named === undefined ? word.toUpperCase() : codes[named]!;
  if (Object.hasOwn(MILESTONES, code)) return code as AirStatusCode;
  if (named === undefined) report(`${quoted(word)} is neither a status nor in codes`);
  return null;
}

function quantityOf(
  text: (name: "pieces" | "weight" | "part") => string | null,
  reading: Reading,
  totalPieces: number | null,
): Partial<AirEvent> {
  const pieces = reading.count("pieces", text("pieces"));
  const written = PARTS[text("part")?.toUpperCase().charAt(0) ?? ""];
  const counted = pieces === null || totalPieces === null ? null : pieces < totalPieces ? "part" : "total";
  return {
    pieces,
    weightKg: reading.kilograms(text("weight")),
    totalPieces,
    shipmentPart: written ?? counted,
  };
}

const PARTS: Readonly<Record<string, AirEvent["shipmentPart"]>> = {
  T: "total",
  P: "part",
  S: "split",
  D: "divided",
};
const INDICATORS: Readonly<Record<string, TimeIndicator>> = {
  ...{ A: "actual", ACTUAL: "actual", E: "estimated", ESTIMATED: "estimated", EXPECTED: "estimated" },
  ...{ S: "scheduled", SCHEDULED: "scheduled", P: "scheduled", PLANNED: "scheduled" },
};

function indicatorOf(word: string | null): TimeIndicator | null {
  return INDICATORS[word?.toUpperCase() ?? ""] ?? null;
}

/** `zone`: an offset, or an IANA name, of a time that is written without. */
function readTime(written: string, zone: string | null, station: string | null): LocalTime | null {
  const at = readDateTime(written, station);
  if (at === null || zone === null || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(written)) return at;
  if (/^(?:Z|[+-]\d{2}:?\d{2})$/i.test(zone)) return readDateTime(written + zone, station);
  const utc = readDateTime(`${written}Z`, null);
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(utc?.ms ?? 0)
      .toZonedDateTimeISO("UTC")
      .toPlainDateTime();
    const ms = local.toZonedDateTime(zone).epochMilliseconds;
    return utc === null
      ? null
      : localTimeAt(ms, station === null ? zone : (stationZone(station) ?? zone), null);
  } catch (error) {
    // No zone has that name.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
