/**
 * Events of one meaning → what happened, each once: a repeat or a correction is the same event, and parts of the
 * shipment are events of their own (docs/decisions/air.md).
 */
import { HOUR_MS } from "../../../runtime/durations.ts";
import type { AirEvent, Saying, TimeIndicator } from "./air-event.ts";
import { byTime, hasTime, isOfDay, minuteOf, textOf, timeOf } from "./event-order.ts";

/** Of one meaning: what was said last of the whole, else of each part. */
export function deduplicate(same: readonly AirEvent[], totalPieces: number | null): readonly AirEvent[] {
  const parts = same.filter((event) => isOfPart(event, totalPieces));
  const byPart = Map.groupBy(parts, (part) =>
    [part.pieces, occasionOf(part), part.copy, flightOf(part)].join(),
  );
  const once = [...byPart.values()].map(lastSaid);
  const whole = parts.length < same.length ? lastSaid(same.filter((event) => !parts.includes(event))) : null;
  const isWhole =
    whole !== null &&
    !once.some((part) => saidMs(part) > saidMs(whole) && minuteOf(part) === minuteOf(whole));
  return isWhole ? [whole] : withoutCorrected(withoutMoved(once), totalPieces);
}

/** Whether an event is about less than the whole shipment, or may be. */
export function isOfPart(
  { shipmentPart, pieces, totalPieces }: AirEvent,
  waybillPieces: number | null,
): boolean {
  const total = totalPieces ?? waybillPieces;
  if (pieces === null || total === null) return shipmentPart !== null && shipmentPart !== "total";
  return pieces < total;
}

export function sumOfPieces(events: readonly AirEvent[]): number {
  return events.reduce((sum, { pieces }) => sum + (pieces ?? 0), 0);
}

export function isDelivery({ code }: AirEvent): boolean {
  return code === "DLV" || code === "DDL";
}

/** A flight leaves and arrives once, whatever times are reported. */
const ONCE_A_FLIGHT: readonly string[] = ["MAN", "DEP", "ARR"];

/** Two parts of as many pieces and of the same occasion are one part. */
function occasionOf(event: AirEvent): number | string {
  const { code, flight, at } = event;
  if (flight === null || !ONCE_A_FLIGHT.includes(code)) return minuteOf(event);
  return flight.date ?? at?.local.slice(0, "YYYY-MM-DD".length) ?? minuteOf(event);
}

/** What is said again was said the first time, so that a resent message corrects nothing. */
function lastSaid(events: readonly AirEvent[]): AirEvent {
  return [...Map.groupBy(events, minuteOf).values()].map(mergeRepeats).reduce(preferred);
}

function mergeRepeats(repeats: readonly AirEvent[]): AirEvent {
  const last = repeats.reduce(preferred);
  if (repeats.length === 1 || last.said === undefined) return last;
  return { ...last, said: repeats.flatMap(({ said }) => said ?? []).reduce(mergeSayings) };
}

/** Messages, or answering sources, that say one event; further ones prove nothing more. */
const SAYINGS_MAX = 20;

export function mergeSayings(a: Saying, b: Saying): Saying {
  const union = (one: readonly string[], other: readonly string[]): readonly string[] =>
    [...new Set([...one, ...other])].toSorted().slice(0, SAYINGS_MAX);
  return {
    ms: Math.min(a.ms, b.ms),
    ...againOf(Math.max(a.againMs ?? 0, b.againMs ?? 0)),
    messages: union(a.messages, b.messages),
    answers: union(a.answers, b.answers),
    ...besideOf(a.beside ?? b.beside),
  };
}

function againOf(againMs: number): Pick<Saying, "againMs"> {
  return againMs === 0 ? {} : { againMs };
}

function besideOf(beside: string | undefined): Pick<Saying, "beside"> {
  return beside === undefined ? {} : { beside };
}

const CERTAINTY: { readonly [is in TimeIndicator]: number } = { actual: 2, estimated: 1, scheduled: 0 };

/** The kind of time, then the order of receipt; the time and the text decide between what was said at once. */
function preferred(a: AirEvent, b: AirEvent): AirEvent {
  const apart =
    CERTAINTY[a.timeIs ?? "actual"] - CERTAINTY[b.timeIs ?? "actual"] ||
    saidMs(a) - saidMs(b) ||
    // Of two without a time the difference is no number.
    timeOf(a) - timeOf(b) ||
    (textOf(a) > textOf(b) ? 1 : -1);
  return apart > 0 ? a : b;
}

export function saidMs({ said }: AirEvent): number {
  return said?.ms ?? 0;
}

function bySaying(a: AirEvent, b: AirEvent): number {
  return saidMs(a) - saidMs(b) || byTime(a, b);
}

/** A corrected minute moves a time by less. */
const CORRECTION_MS_MAX = 3 * HOUR_MS;

/** Of deliveries alike that may be one, whose time was corrected, only the one said last. */
function withoutMoved(parts: readonly AirEvent[]): readonly AirEvent[] {
  const kept: AirEvent[] = [];
  for (const part of parts.toSorted(bySaying)) {
    const [before] = kept
      .filter((other) => isDelivery(part) && mayBeOne(other, part))
      .toSorted((a, b) => apartMs(a, part) - apartMs(b, part));
    if (before === undefined) kept.push(part);
    else if (isExact(part) || !isExact(before)) kept[kept.indexOf(before)] = part;
  }
  return kept;
}

/** Of two deliveries: whether one is the other said again, with its time corrected. */
function mayBeOne(a: AirEvent, b: AirEvent): boolean {
  if (a.pieces !== b.pieces || !agreeOnIdentity(a, b) || saysBoth(a.said, b.said)) return false;
  if (isExact(a) === isExact(b)) {
    if (!isExact(a) && comeFromTwoMessages(a, b)) return false;
    return !(apartMs(a, b) >= CORRECTION_MS_MAX);
  }
  if (!hasTime(a) || !hasTime(b)) return true;
  // A midnight may be a time as well.
  return dayOf(a) === dayOf(b) || apartMs(a, b) < CORRECTION_MS_MAX;
}

/** Whether nothing but the time tells two parts of as many pieces apart. */
export function agreeOnIdentity(a: AirEvent, b: AirEvent): boolean {
  return agreeOnWeight(a, b) && agree(flightOf(a), flightOf(b));
}

function agree(a: string | number | null, b: string | number | null): boolean {
  return a === null || b === null || a === b;
}

/** Sources round a weight, and convert pounds. */
const WEIGHT_APART_MAX = 0.01;
const WEIGHT_APART_KG_MAX = 0.5;

function agreeOnWeight({ weightKg: a }: AirEvent, { weightKg: b }: AirEvent): boolean {
  return (
    a === null ||
    b === null ||
    Math.abs(a - b) <= Math.max(WEIGHT_APART_KG_MAX, Math.max(a, b) * WEIGHT_APART_MAX)
  );
}

function flightOf({ flight }: AirEvent): string | null {
  return flight === null ? null : flight.carrier + flight.number;
}

/** Whether one message or one answer does. */
function saysBoth(a: Saying | undefined, b: Saying | undefined): boolean {
  const isShared = (name: "messages" | "answers"): boolean =>
    a !== undefined && b !== undefined && a[name].some((one) => b[name].includes(one));
  return isShared("messages") || isShared("answers") || (a?.beside !== undefined && a.beside === b?.beside);
}

function comeFromTwoMessages({ said: a }: AirEvent, { said: b }: AirEvent): boolean {
  return a !== undefined && b !== undefined && a.messages.length > 0 && b.messages.length > 0;
}

function isExact(event: AirEvent): boolean {
  return hasTime(event) && !isOfDay(event);
}

/** No number if neither has a time. */
function apartMs(a: AirEvent, b: AirEvent): number {
  return Math.abs(timeOf(a) - timeOf(b));
}

function dayOf({ at }: AirEvent): string | undefined {
  return at?.local.slice(0, "YYYY-MM-DD".length);
}

/**
 * More than the whole shipment cannot have moved: a part said later corrects one of as many pieces. That is certain if
 * the part is more than half of the whole. Then parts go whose removal leaves exactly the whole.
 */
function withoutCorrected(parts: readonly AirEvent[], totalPieces: number | null): readonly AirEvent[] {
  const sorted = parts.toSorted(bySaying);
  if (totalPieces === null) return sorted;
  const sizes = [...Map.groupBy(sorted, ({ pieces }) => pieces ?? 0)].map(([pieces, alike]) => ({
    pieces,
    alike:
      pieces * 2 <= totalPieces
        ? alike.map(asRepeated)
        : alike.slice(-1).map((part) => asRepeated(part, 0, [])),
  }));
  let excess = sizes.reduce((sum, { pieces, alike }) => sum + pieces * alike.length, -totalPieces);
  for (;;) {
    const repeated = sizes.filter(({ alike }) => alike.length > 1);
    if (excess <= 0 || repeated.length === 0) break;
    const largest = repeated.reduce((a, b) => (b.pieces > a.pieces ? b : a));
    const { pieces, alike } = repeated.find((size) => size.pieces === excess) ?? largest;
    removeCorrected(alike);
    excess -= pieces;
  }
  const kept = new Set(sizes.flatMap(({ alike }) => alike.map(({ part }) => part)));
  return sorted.filter((part) => kept.has(part));
}

/** A part, and how far from it the nearest one of as many pieces is that was said later; infinitely: none was. */
type RepeatedPart = { readonly part: AirEvent; nearestMs: number };

function asRepeated(part: AirEvent, index: number, alike: readonly AirEvent[]): RepeatedPart {
  return { part, nearestMs: nearestMs(part, alike.slice(index + 1)) };
}

function nearestMs(part: AirEvent, later: readonly AirEvent[]): number {
  return later.reduce(
    (least, other) => Math.min(least, apartOrZeroMs(part, other)),
    Number.POSITIVE_INFINITY,
  );
}

function apartOrZeroMs(a: AirEvent, b: AirEvent): number {
  const ms = apartMs(a, b);
  return Number.isNaN(ms) ? 0 : ms;
}

/** Keeps the distances, so that thousands of parts take no more than their square. */
function removeCorrected(alike: RepeatedPart[]): void {
  const least = alike.slice(0, -1).reduce((a, b) => (b.nearestMs < a.nearestMs ? b : a), alike[0]!);
  const index = alike.indexOf(least);
  alike.splice(index, 1);
  for (const [before, one] of alike.slice(0, index).entries()) {
    if (apartOrZeroMs(one.part, least.part) > one.nearestMs) continue;
    one.nearestMs = nearestMs(
      one.part,
      alike.slice(before + 1).map(({ part }) => part),
    );
  }
}
