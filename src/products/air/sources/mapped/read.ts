/** An answer of an airline's own API → a statement, by the mapping in the airlines file. */
import { localTimeAt, type LocalTime } from "../../../../freight/places/local-time.ts";
import { stationZone } from "../../../../freight/places/stations.ts";
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

const EVENTS_MAX = 500;
const KG_OF = { KGM: 1, LBR: 0.45359237 } as const;

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
  const listed = valuesAt(root, eventsAt);
  const pieces = countOf(textAtPointers(root, waybill.pieces, ""));
  const events = listed.slice(0, EVENTS_MAX).flatMap((value, index) => {
    const event = readEvent(value, mapping, pieces, (message) =>
      problems.push(`${eventsAt}/${index}: ${message}`),
    );
    return event === null ? [] : [event];
  });
  if (listed.length > EVENTS_MAX) problems.push(`${eventsAt}: no more than ${EVENTS_MAX} events are read`);
  const origin = airportOf(textAtPointers(root, waybill.origin, ""));
  if (listed.length === 0 && pieces === null && origin === null) return null;
  const destination = airportOf(textAtPointers(root, waybill.destination, ""));
  const weightKg = weightOf(textAtPointers(root, waybill.weight, ""), mapping);
  return {
    statement: { awb, origin, destination, pieces, weightKg, events },
    problems: [...new Set(problems)],
  };
}

function readEvent(
  value: unknown,
  mapping: AnswerMapping,
  totalPieces: number | null,
  report: Report,
): AirEvent | null {
  const code = codeOf(value, mapping, report);
  if (code === null) return null;
  const text = (
    name: Exclude<keyof AnswerMapping, "codes" | "weightUnit" | "isPlanned">,
    joint = "",
  ): string | null => textAtPointers(value, mapping[name], joint);
  const zone = text("zone");
  const timeAt = (
    name: "time" | "planned" | "departure" | "arrival",
    station: string | null,
  ): LocalTime | null => {
    const written = text(name, "T");
    const at = written === null ? null : readTime(written, zone, station);
    if (written !== null && at === null) report(`${name} ${quoted(written)} is no date-time`);
    return at;
  };
  const [from, to] = [airportOf(text("from")), airportOf(text("to"))];
  const isTimed = text("time", "T") !== null;
  const isAhead = isTrueAt(value, mapping.isPlanned) || (!isTimed && text("planned", "T") !== null);
  const indicator = indicatorOf(text("timeIs")) ?? (isAhead ? "scheduled" : null);
  const scheduled = timeAt("departure", from);
  const occurrence = (station: string | null) => timeAt(isTimed ? "time" : "planned", station);
  // A departure is when it happened, whatever was scheduled; other statuses name their flight by its schedule.
  const departure =
    code === "DEP" ? (occurrence(from ?? airportOf(text("station"))) ?? scheduled) : scheduled;
  const movement: Movement = {
    ...{ designator: designatorIn(text("flight")?.toUpperCase() ?? ""), carrier: null, from, to },
    station: airportOf(text("station")),
    ...{ departure, departureIs: departure === null ? null : indicator },
    ...{ date: (scheduled ?? departure)?.local.slice(0, "YYYY-MM-DD".length) ?? null },
    ...{ arrival: timeAt("arrival", to), arrivalIs: null },
    ...{ occurrence, occurrenceIs: indicator ?? "actual" },
  };
  const placed = DEPARTURES.includes(code) ? departureOf(movement) : placedIn(code, movement, null);
  if (placed === null) report(`${code} without an airport: not read`);
  const isPlanned =
    isAhead || (indicator !== null && indicator !== "actual" && !FLIGHT_PLAN_CODES.includes(code));
  const known = { ...placed, ...quantityOf(text, mapping, totalPieces), party: text("party") };
  const event =
    placed === null
      ? null
      : inForm(code, { ...known, discrepancy: code === "DIS" ? text("discrepancy") : null });
  return event !== null && isPlanned ? { ...event, timeIs: indicator ?? "scheduled", planned: true } : event;
}

/** By the table, else the word itself; null in the table: not reported. */
function codeOf(
  value: unknown,
  { code: at, codes = {} }: AnswerMapping,
  report: Report,
): AirStatusCode | null {
  const word = textAtPointers(value, at, " ") ?? "";
  const code = Object.hasOwn(codes, word) ? codes[word]! : word.toUpperCase();
  if (Object.hasOwn(MILESTONES, code)) return code as AirStatusCode;
  if (!Object.hasOwn(codes, word)) report(`${quoted(word)} is neither a status nor in codes`);
  return null;
}

function quantityOf(
  text: (name: "pieces" | "weight" | "part") => string | null,
  mapping: AnswerMapping,
  totalPieces: number | null,
): Partial<AirEvent> {
  const pieces = countOf(text("pieces"));
  const written = PARTS[text("part")?.toUpperCase().charAt(0) ?? ""];
  const counted = pieces === null || totalPieces === null ? null : pieces < totalPieces ? "part" : "total";
  return {
    pieces,
    weightKg: weightOf(text("weight"), mapping),
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

function airportOf(text: string | null): string | null {
  const code = text?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function weightOf(text: string | null, { weightUnit = "KGM" }: AnswerMapping): number | null {
  if (text === null || !/^\d{1,12}(?:\.\d{0,9})?$/.test(text)) return null;
  return Math.round(Number(text) * KG_OF[weightUnit] * 1_000) / 1_000;
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
