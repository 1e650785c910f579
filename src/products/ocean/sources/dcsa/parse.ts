/** All pages of an answer in Track & Trace 1.1 to 3.0 → statements. Unusable events are skipped with a reason. */
import { field, type Spelling, text, object } from "../../../../freight/dcsa/spelling.ts";
import { isPlausibleYear } from "../../../../freight/dcsa/time.ts";
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { runToEnd, type SlicedWork } from "../../../../runtime/time-slices.ts";
import { plainReference } from "../../timeline/transport-documents.ts";
import { placeKey, type FreeDay, type SkippedEvent, type CarrierEvent } from "../carrier-event.ts";
import { readEvent, callOf, readVessel, readVoyage } from "./event.ts";
import { createStandingFilter } from "./versions.ts";

export type ParsedAnswer = {
  readonly events: readonly CarrierEvent[];
  /** What is retracted, by whatever version of it can be read; absent: nothing. */
  readonly withdrawn?: readonly CarrierEvent[];
  readonly freeDays: readonly FreeDay[];
  readonly skipped: readonly SkippedEvent[];
};

/** A single page; as {@link parsePages}. */
export function parseAnswer(answer: unknown, spelling: Spelling): ParsedAnswer | null {
  return parsePages([answer], spelling);
}

const SKIPPED_MAX = 1_000;

/** Each page is the list of events or an object that holds it; null if one is neither. */
export function parsePages(pages: readonly unknown[], spelling: Spelling): ParsedAnswer | null {
  return runToEnd(parsePagesSteps(pages, spelling));
}

const EVENTS_PER_STEP = 50;

/** As {@link parsePages}, in time slices: the largest answers have some 10,000 events. */
export function* parsePagesSteps(
  pages: readonly unknown[],
  spelling: Spelling,
): SlicedWork<ParsedAnswer | null> {
  const lists = pages.map((page) => eventList(page, spelling));
  if (lists.includes(null)) return null;
  const raws = lists.flatMap((list, page) => list?.map(withListedCall(pages[page], spelling)) ?? []);
  const standing = yield* createStandingFilter(raws, spelling);
  const events: CarrierEvent[] = [];
  const withdrawn: CarrierEvent[] = [];
  const skipped: SkippedEvent[] = [];
  const stated: Stated[] = [];
  for (const page of pages) {
    if (isObject(page)) stated.push(...freeDaysIn(page, null, spelling).map((day) => ({ day, statedMs: 0 })));
  }
  for (const [index, raw] of raws.entries()) {
    if (index % EVENTS_PER_STEP === 0) yield;
    const stands = standing(raw);
    const read = stands === "replaced" ? null : readEvent(raw, spelling);
    if (read === null) continue;
    if (stands === "retracted") {
      if (typeof read !== "string") withdrawn.push(read);
      continue;
    }
    if (typeof read === "string") {
      if (skipped.length < SKIPPED_MAX) skipped.push({ index, reason: read });
      continue;
    }
    events.push(read);
    const statedMs = read.createdAtMs ?? 0;
    const { at, place } = read;
    const days = freeDaysIn(raw as JsonObject, read.equipment, spelling);
    for (const day of days) stated.push({ day: { ...day, of: { at, place } }, statedMs });
  }
  const freeDays = latestOfEach(stated);
  return { events, ...(withdrawn.length === 0 ? {} : { withdrawn }), freeDays, skipped };
}

/** The list that a page is or holds; a carrier's own lists together. */
export function eventList(page: unknown, spelling: Spelling): readonly unknown[] | null {
  if (Array.isArray(page)) return page;
  if (!isObject(page)) return null;
  const listsAt = (paths: readonly string[]): readonly (readonly unknown[])[] =>
    paths.map((path) => path.split(".").reduce<unknown>(memberOf, page)).filter(Array.isArray);
  const own = listsAt(spelling.ownEnvelopes);
  if (own.length > 0) return own.flat();
  const [list] = listsAt(spelling.envelopes);
  if (list !== undefined) return list;
  // A single event without a list around it.
  const single =
    field(page, "eventType", spelling) ??
    field(page, "eventClassification", spelling) ??
    field(page, "portCallService", spelling);
  return single === undefined ? null : [page];
}

function memberOf(from: unknown, name: string): unknown {
  return isObject(from) && Object.hasOwn(from, name) ? from[name] : undefined;
}

type Stated = { readonly day: FreeDay; readonly statedMs: number };

/** Of several days for one event of a container, the latest stated, wherever it is in the answer; the latest comes last. */
function latestOfEach(stated: readonly Stated[]): readonly FreeDay[] {
  const inOrder = stated.toSorted(
    (a, b) => a.statedMs - b.statedMs || (a.day.lastFreeDay < b.day.lastFreeDay ? -1 : 1),
  );
  const latest = new Map<string, FreeDay>();
  for (const { day } of inOrder) {
    const key = `${day.equipment} ${day.of?.at.ms} ${placeKey(day.of?.place ?? null)}`;
    latest.delete(key);
    latest.set(key, day);
  }
  return [...latest.values()];
}

const FREE_TIMES_MAX = 200;

/**
 * Last free days that a carrier states on an event or beside the list of events. `equipment` is the container that the
 * object is about; null: all containers of the answer.
 */
function freeDaysIn(from: JsonObject, equipment: string | null, spelling: Spelling): readonly FreeDay[] {
  const lastFreeDay = readDay(text(from, "lastFreeDay", spelling));
  const own = lastFreeDay === null ? [] : [{ equipment, lastFreeDay }];
  const list = field(from, "freeTimes", spelling);
  if (!Array.isArray(list)) return own;
  return [...own, ...list.slice(0, FREE_TIMES_MAX).flatMap((entry) => freeTime(entry, equipment, spelling))];
}

/** `FreeTime` of Arrival Notice 1.0.1: demurrage only, not detention or storage. */
function freeTime(entry: unknown, equipment: string | null, spelling: Spelling): readonly FreeDay[] {
  if (!isObject(entry)) return [];
  const types = field(entry, "typeCodes", spelling);
  if (Array.isArray(types) && types.length > 0 && !types.includes("DEM")) return [];
  const lastFreeDay =
    readDay(valueOf(entry, "lastFreeDate", spelling)) ??
    readDay(valueOf(entry, "lastFreeDateTime", spelling));
  if (lastFreeDay === null) return [];
  const references = field(entry, "equipmentReferences", spelling);
  const named = Array.isArray(references) ? references.filter((one) => typeof one === "string") : [];
  if (named.length === 0) return [{ equipment, lastFreeDay }];
  return named.slice(0, FREE_TIMES_MAX).map((one) => ({ equipment: plainReference(one), lastFreeDay }));
}

/** A date with its classifier, or the date alone. */
function valueOf(entry: JsonObject, name: string, spelling: Spelling): string | null {
  const written = field(entry, name, spelling);
  return isObject(written) ? text(written, "value", spelling) : text(entry, name, spelling);
}

/** The day as written is the port's, whatever time follows it. */
function readDay(written: string | null): string | null {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(written ?? "")?.[0];
  if (day === undefined || !isPlausibleYear(day)) return null;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? null : day;
}

/**
 * An event of the page with the vessel of its leg, where it names none itself. Some answers keep vessels beside the
 * events: `transportCall` has each port call of the booking with its vessel and voyage, `transport` each leg with the
 * calls at its two ends (as HMM documents it).
 */
function withListedCall(page: unknown, spelling: Spelling): (raw: unknown) => unknown {
  const calls = isObject(page) ? listAt(page, "transportCall", spelling) : [];
  if (!isObject(page) || calls.length === 0) return (raw) => raw;
  const legs = listAt(page, "transport", spelling).map((transport) => legOf(transport, calls, spelling));
  return (raw) => {
    if (!isObject(raw)) return raw;
    const own = callOf(raw, spelling);
    const isByVessel = text(own, "modeOfTransport", spelling)?.toUpperCase() === "VESSEL";
    if (!isByVessel || readVessel(own, spelling) !== null) return raw;
    const port = text(own, "UNLocationCode", spelling);
    const isHere = (call: JsonObject): boolean =>
      port !== null && text(call, "UNLocationCode", spelling) === port;
    const leg = setsOut(raw, spelling)
      ? legs.findLast(({ from }) => isHere(from))
      : legs.find(({ to }) => isHere(to));
    const sailed = leg?.sailed ?? calls.filter(isHere).map((call) => sailedBy(call, spelling))[0];
    return sailed === undefined ? raw : { ...raw, transportCall: { ...own, ...sailed } };
  };
}

type Leg = { readonly from: JsonObject; readonly to: JsonObject; readonly sailed: JsonObject };

function sailedBy(call: JsonObject, spelling: Spelling): JsonObject {
  const vessel = object(call, "vessel", spelling);
  return { vessel, carrierVoyageNumber: readVoyage(call, spelling) };
}

/** The voyage is that of the call where the leg begins: the number may change at its end. */
function legOf(transport: JsonObject, calls: readonly JsonObject[], spelling: Spelling): Leg {
  const callWith = (id: string | null): JsonObject =>
    calls.find((call) => id !== null && text(call, "transportCallID", spelling) === id) ?? {};
  const from = callWith(text(transport, "loadTransportCallID", spelling));
  const named = {
    vesselName: text(transport, "transportName", spelling),
    vesselIMONumber: text(transport, "vesselIMONumber", spelling),
  };
  const to = callWith(text(transport, "dischargeTransportCallID", spelling));
  const { vessel, ...voyage } = sailedBy(from, spelling);
  return { from, to, sailed: { ...voyage, vessel: { ...named, ...(vessel as JsonObject) } } };
}

/** The box is loaded, or its vessel departs. */
function setsOut(raw: JsonObject, spelling: Spelling): boolean {
  const code = text(raw, "equipmentEventTypeCode", spelling) ?? text(raw, "transportEventTypeCode", spelling);
  return code?.toUpperCase() === "LOAD" || code?.toUpperCase() === "DEPA";
}

const LISTED_MAX = 200;

/** A list, or the only one itself. */
function listAt(page: JsonObject, name: string, spelling: Spelling): readonly JsonObject[] {
  const value = field(page, name, spelling);
  return (Array.isArray(value) ? value : [value]).slice(0, LISTED_MAX).filter(isObject);
}
