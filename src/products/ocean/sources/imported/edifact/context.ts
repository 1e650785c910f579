/**
 * What the segments of a message have said so far, at one of its levels: the message, the consignment, the status. A
 * level begins with what the one around it said, apart from times and transports, which concern their own level alone.
 */
import type { Segment } from "../../../../../freight/edifact/segments.ts";
import type { Mode } from "../../../../../freight/dcsa/spelling.ts";
import { portOf, readUnlocode } from "../../../../../freight/places/ports.ts";
import { readImoNumber } from "../../../../../freight/references/imo-number.ts";
import type { MilestoneRow } from "../milestone.ts";
import { modeOf } from "./status-codes.ts";

export type Container = Pick<MilestoneRow, "container" | "iso_code" | "load">;

export type Location = Pick<MilestoneRow, "location" | "place" | "facility">;

export type Dates = ReadonlyMap<string, Segment>;

export type LocationOf = {
  /** DE 3227. */
  readonly qualifier: string;
  readonly location: Location;
  readonly dates: Dates;
};

export type Transport = {
  /** DE 8051. */
  readonly stage: string;
  readonly mode: Mode | null;
  readonly about: Pick<MilestoneRow, "vessel" | "imo" | "voyage">;
  readonly locations: readonly LocationOf[];
};

export type Level = {
  readonly numbers: Pick<MilestoneRow, "bill" | "booking" | "carrier">;
  /** By number, the one said last at the end. */
  readonly containers: ReadonlyMap<string, Container>;
  /** False: they are those of the level around it, and copied before one is added. */
  readonly hasOwnContainers: boolean;
  readonly locations: readonly LocationOf[];
  readonly dates: Dates;
  readonly transports: readonly Transport[];
};

export const NOTHING_SAID: Level = {
  numbers: {},
  containers: new Map(),
  hasOwnContainers: false,
  locations: [],
  dates: new Map(),
  transports: [],
};

/** A level within another, to which nothing is added while this one is open. */
export function within({ numbers, containers }: Level): Level {
  return { ...NOTHING_SAID, numbers, containers };
}

/** With containers of its own, of which there is none yet. */
export function withoutContainers(level: Level): Level {
  return { ...level, containers: new Map(), hasOwnContainers: true };
}

export function textIn({ elements }: Segment, element: number, component = 0): string {
  return elements[element]?.[component] ?? "";
}

/** The level after a segment; one that says nothing of a milestone leaves it as it is. */
export function afterSegment(level: Level, segment: Segment): Level {
  switch (segment.tag) {
    case "NAD":
      return textIn(segment, 0) === "CA" || textIn(segment, 0) === "CF"
        ? withCarrier(level, textIn(segment, 1))
        : level;
    case "RFF":
      return withReference(level, textIn(segment, 0), textIn(segment, 0, 1));
    case "DTM":
      return withDate(level, segment);
    case "LOC":
      return withLocation(level, segment);
    case "TDT":
      return { ...level, transports: [...level.transports, transportOf(segment)] };
    case "EQD":
      return textIn(segment, 0) === "CN"
        ? withContainer(level, textIn(segment, 1), containerOf(segment))
        : level;
    default:
      return level;
  }
}

function withCarrier(level: Level, written: string): Level {
  if (!/^[A-Za-z]{4}$/.test(written)) return level;
  return { ...level, numbers: { ...level.numbers, carrier: written } };
}

/** DE 1153. */
function withReference(level: Level, qualifier: string, value: string): Level {
  if (value === "") return level;
  switch (qualifier) {
    case "BM":
    case "MB":
      return { ...level, numbers: { ...level.numbers, bill: value } };
    case "BN":
      return { ...level, numbers: { ...level.numbers, booking: value } };
    case "AAQ":
    case "EQ":
      return level.containers.has(value) ? level : withContainer(level, value, { container: value });
    default:
      return level;
  }
}

/** Behind a LOC of a transport, the time of its call there; else the level's own. */
function withDate(level: Level, segment: Segment): Level {
  const qualifier = textIn(segment, 0);
  const transport = level.transports.at(-1);
  const call = transport?.locations.at(-1);
  if (transport === undefined || call === undefined)
    return { ...level, dates: new Map([...level.dates, [qualifier, segment]]) };
  const dated = { ...call, dates: new Map([...call.dates, [qualifier, segment]]) };
  const locations = [...transport.locations.slice(0, -1), dated];
  return { ...level, transports: [...level.transports.slice(0, -1), { ...transport, locations }] };
}

/** DE 3227, where a box stands aboard: no place, unless somebody writes a place there. */
export const STOWAGE = "147";

function withLocation(level: Level, segment: Segment): Level {
  if (textIn(segment, 0) === STOWAGE && readUnlocode(textIn(segment, 1)) === null) return level;
  const one = { qualifier: textIn(segment, 0), location: locationOf(segment), dates: new Map() };
  const transport = level.transports.at(-1);
  if (transport === undefined) return { ...level, locations: [...level.locations, one] };
  const called = { ...transport, locations: [...transport.locations, one] };
  return { ...level, transports: [...level.transports.slice(0, -1), called] };
}

/** C517 is the place, C519 the terminal in it. */
function locationOf(segment: Segment): Location {
  const [written, name] = [textIn(segment, 1), textIn(segment, 1, 3)];
  // A UN/LOCODE with a terminal behind it.
  const [, port = "", terminal = ""] = /^([A-Z]{2}[A-Z2-9]{3})[-/ ]?(\w{1,6})$/i.exec(written) ?? [];
  const isOfPort = portOf(port.toUpperCase()) !== null;
  const code = isOfPort ? port : written;
  const unlocode = readUnlocode(code);
  const facility = textIn(segment, 2, 3) || textIn(segment, 2) || (isOfPort ? terminal : "");
  const place = name || (unlocode === null ? code : "");
  return {
    ...(unlocode === null ? {} : { location: unlocode }),
    ...(place === "" ? {} : { place }),
    ...(facility === "" ? {} : { facility }),
  };
}

function transportOf(segment: Segment): Transport {
  const [id, name] = [textIn(segment, 7), textIn(segment, 7, 3)];
  const voyage = textIn(segment, 1);
  // A call sign, or a number that is none: the name alone tells the vessel.
  const imo = readImoNumber(id);
  return {
    stage: textIn(segment, 0),
    mode: modeOf(textIn(segment, 2)),
    about: {
      ...(name === "" ? {} : { vessel: name }),
      ...(imo.kind === "imo" ? { imo: imo.imo } : {}),
      ...(voyage === "" ? {} : { voyage }),
    },
    locations: [],
  };
}

/** In the place of the same number in a reference. Of own containers none is copied: a report may name a thousand. */
function withContainer(level: Level, number: string, added: Container): Level {
  const containers = level.hasOwnContainers
    ? (level.containers as Map<string, Container>)
    : new Map(level.containers);
  containers.delete(number);
  containers.set(number, added);
  return { ...level, containers, hasOwnContainers: true };
}

/** DE 8169. */
const LOADS: Readonly<Record<string, string>> = { "4": "empty", "5": "laden", "7": "laden", "8": "laden" };

function containerOf(segment: Segment): Container {
  const [number, iso, load] = [textIn(segment, 1), textIn(segment, 2), textIn(segment, 5)];
  return {
    container: number,
    ...(iso === "" ? {} : { iso_code: iso }),
    ...(Object.hasOwn(LOADS, load) ? { load: LOADS[load] } : {}),
  };
}

/** The first of these dates; null: there is none. */
export function firstDate(dates: Dates, qualifiers: readonly string[]): Segment | null {
  for (const qualifier of qualifiers) {
    const found = dates.get(qualifier);
    if (found !== undefined) return found;
  }
  return null;
}

export function timeIn(segment: Segment) {
  return readDtm(textIn(segment, 0, 1), textIn(segment, 0, 2));
}

/** DTM: the time that a value of DE 2380 shows in a format of DE 2379, as text; an offset only where it has one. */

/** How each format begins, after its century. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  "201": /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})()()$/,
  "203": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})()()$/,
  "204": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})()$/,
  "205": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})()([+-]\d{4})$/,
  "303": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})()([A-Z]{1,3})$/,
  "304": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})([A-Z]{1,3})$/,
};

const UTC = new Set(["UTC", "GMT", "Z"]);

type ReadDateTime =
  /** `2026-11-01T08:00:00`, with `Z` or an offset where the format has one. */
  { readonly kind: "time"; readonly text: string } | { readonly kind: "refused"; readonly message: string };

/** Without a format, by its length. */
function readDtm(value: string, format: string): ReadDateTime {
  const known = format === "" ? (value.length === 14 ? "204" : "203") : format;
  if (known === "101" || known === "102")
    return refused(`DTM ${value} has a day and no hour: ask your provider for format 203`);
  const match = Object.hasOwn(FORMATS, known) ? FORMATS[known]!.exec(value) : null;
  if (match === null) return refused(`DTM ${value.slice(0, 40)} is no time in format ${known.slice(0, 5)}`);
  const [, year = "", month, day, hour, minute, second, zone = ""] = match;
  const local = `${year.length === 2 ? `20${year}` : year}-${month}-${day}T${hour}:${minute}:${second || "00"}`;
  if (zone === "") return { kind: "time", text: local };
  if (UTC.has(zone)) return { kind: "time", text: `${local}Z` };
  if (!/^[+-]/.test(zone)) return refused(`DTM ${value} names the zone ${zone}; UTC, GMT and Z are known`);
  return { kind: "time", text: `${local}${zone.slice(0, 3)}:${zone.slice(3)}` };
}

function refused(message: string): ReadDateTime {
  return { kind: "refused", message };
}
