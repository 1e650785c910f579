/** All pages of an answer in Track & Trace 1.1 to 3.0 → statements. Unusable events are skipped with a reason. */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { runToEnd, type SlicedWork } from "../../../../runtime/time-slices.ts";
import { placeKey, type FreeDay, type SkippedEvent, type CarrierEvent } from "../carrier-event.ts";
import { readEvent } from "./event.ts";
import { freeDaysIn } from "./free-days.ts";
import { field, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import { withListedCall } from "./listed-calls.ts";
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
