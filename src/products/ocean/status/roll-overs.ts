/**
 * The sailings that a box was to take and does not: a vessel left without it, it was taken off again, or its carrier
 * books it on a later one. A swap of vessels whose departure stays within {@link OTHER_SAILING_MS_MIN} is no roll-over.
 */
import { isOffBerth, placeKey, type CarrierEvent } from "../sources/carrier-event.ts";
import { IN_PORT_MS_MAX, isVesselCall, OTHER_SAILING_MS_MIN } from "../timeline/calls.ts";
import type { AlreadyRaised, BoxRecord, MissedSailing, Sailing } from "../record/shipment-record.ts";
import { isOtherVoyage, plainName } from "../timeline/vessel-names.ts";
import { isAboard, isWaitingForVessel, type Journey } from "./position.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** Kept of one box. */
const MISSED_MAX = 20;

type SailingName = Pick<Sailing, "vessel" | "imo" | "voyage">;

/** The sailings as they are now, without their promises. */
export type Leg = Omit<Sailing, "promisedMs">;

export type KnownSailings = Pick<BoxRecord, "sailings" | "missedSailings"> & {
  readonly told: AlreadyRaised;
};

/** `before` is the previous record's. Sailings that may yet prove to be missed are among them. */
export function missedSailingsOf(
  legs: readonly Leg[],
  before: KnownSailings,
  timeline: Timeline,
  journey: Journey,
): readonly MissedSailing[] {
  const known = numbered(before.missedSailings ?? []);
  const planned = before.sailings.filter(isNamed).map((sailing) => missedOf(sailing, before));
  const off = notForgotten(takenOff(timeline, journey), known);
  const candidates = [...known, ...planned, ...off];
  const distinct = candidates.filter(
    (one, index) => candidates.findIndex((other) => isSameMissed(other, one)) === index,
  );
  const missed = distinct.flatMap((one) => {
    const isOff = off.some((other) => isSameMissed(other, one));
    return one.rollOver === null ? nowMissed(one, isOff, legs, timeline, journey) : [one];
  });
  return latest(numbered(missed));
}

/** Roll-overs count on from the last one there, though the first ones are forgotten. */
function numbered(missed: readonly MissedSailing[]): readonly MissedSailing[] {
  const counts = new Map<string, number>();
  for (const { from, nth = 0 } of missed) counts.set(from, Math.max(nth, counts.get(from) ?? 0));
  return missed.map((one) => {
    if (one.rollOver === null || one.nth !== undefined) return one;
    const nth = (counts.get(one.from) ?? 0) + 1;
    counts.set(one.from, nth);
    return { ...one, nth };
  });
}

/** A vessel that was taken to have left with the box stays: its departure has a key of its own (raised-keys.ts). */
function latest(missed: readonly MissedSailing[]): readonly MissedSailing[] {
  const overMax = Math.max(0, missed.length - MISSED_MAX);
  const old = new Set(missed.filter(({ departed }) => departed !== true).slice(0, overMax));
  return missed.filter((one) => !old.has(one)).slice(-MISSED_MAX);
}

/** Not those from before the first one that is still kept there. */
function notForgotten(
  off: readonly MissedSailing[],
  known: readonly MissedSailing[],
): readonly MissedSailing[] {
  const first = rolledOver(known).find(({ from }) => from === off[0]?.from);
  if ((first?.nth ?? 1) === 1) return off;
  return off.slice(off.findIndex((one) => known.some((other) => isSameMissed(other, one))));
}

export function isSameMissed(a: SailingName & { from: string }, b: SailingName & { from: string }): boolean {
  return a.from === b.from && !isOtherSailing(a, b);
}

/** Vessels or voyages are known of both, and differ. */
export function isOtherSailing(a: SailingName, b: SailingName): boolean {
  if (a.vessel !== null && b.vessel !== null) {
    const byNumber = a.imo && b.imo ? a.imo === b.imo : null;
    if (!(byNumber ?? plainName(a.vessel) === plainName(b.vessel))) return true;
  }
  return isOtherVoyage(a.voyage, b.voyage);
}

/** By vessel, or by voyage if either names no vessel. */
function isKnownSame(a: SailingName, b: SailingName): boolean {
  const byVessel = a.vessel !== null && b.vessel !== null;
  return (byVessel || (a.voyage !== null && b.voyage !== null)) && !isOtherSailing(a, b);
}

function isNamed({ vessel, voyage }: SailingName): boolean {
  return vessel !== null || voyage !== null;
}

export function nameOf({ vessel, voyage }: Pick<CarrierEvent, "vessel" | "voyage">): SailingName {
  return { vessel: vessel?.name ?? vessel?.imo ?? null, imo: vessel?.imo ?? null, voyage };
}

function missedOf(sailing: Sailing, before: KnownSailings): MissedSailing {
  const { from, vessel, imo = null, voyage, departedMs, expectedMs, promisedMs } = sailing;
  const name = { from, vessel, imo, voyage, rollOver: null };
  if (departedMs !== null) return { ...name, departureMs: departedMs, departed: true };
  // A slip may have been raised by the schedules, to a later departure than the box's carrier expects.
  const key = sailingKey(sailing, before);
  const raised = before.told.slips?.find((slip) => slip.sailing === key && slip.scheduled === true);
  return { ...name, departureMs: Math.max(expectedMs, raised?.toMs ?? expectedMs), promisedMs };
}

/** The box was loaded for them and taken off again where it waits. */
function takenOff(timeline: Timeline, journey: Journey): readonly MissedSailing[] {
  const from = placeKey(journey.place);
  if (journey.loaded || !isWaitingForVessel(journey) || from === null) return [];
  return takenOffAt(from, timeline);
}

function takenOffAt(from: string, timeline: Timeline): readonly MissedSailing[] {
  const calls = timeline.filter((event) => placeKey(event.place) === from);
  const moves = calls.filter((event) => event.classifier === "actual" && isVesselCall(event, "LOAD", "DISC"));
  return moves.flatMap((load, index) => {
    if (load.code !== "LOAD" || moves[index + 1]?.code !== "DISC" || load.vessel === null) return [];
    const name = nameOf(load);
    const departure = calls.find(
      (event) => isVesselCall(event, "DEPA") && event.vessel !== null && !isOtherSailing(nameOf(event), name),
    );
    return [{ from, ...name, departureMs: departure?.at.ms ?? null, rollOver: null }];
  });
}

/** None: the box takes this sailing after all, or has sailed. */
function nowMissed(
  one: MissedSailing,
  isOff: boolean,
  legs: readonly Leg[],
  timeline: Timeline,
  journey: Journey,
): readonly MissedSailing[] {
  const here = legs.filter(({ from }) => from === one.from);
  const made = here.filter(({ departedMs }) => departedMs !== null);
  if (made.length > 0) {
    // Both departures are stated, so that the later one corrects no name and no time.
    const minMs = departureWithout(one, timeline, journey) === null ? OTHER_SAILING_MS_MIN : 1;
    return one.departed === true && made.every((leg) => isMadeLater(leg, one, minMs)) ? [one] : [];
  }
  if (hasSailed(one, timeline, journey)) return [];
  const left = departureWithout(one, timeline, journey);
  const [next] = here;
  // Under the same names, the vessel has left and comes back: the sailing has only been put off.
  if (next !== undefined && !isOtherSailing(next, one) && (left === null || isNamed(next))) return [];
  const known = { ...one, departureMs: left?.at.ms ?? one.departureMs };
  if (next === undefined) return [left === null ? known : { ...known, rollOver: { next: null } }];
  const { vessel, voyage, expectedMs } = next;
  const lateMs = known.departureMs === null ? null : expectedMs - known.departureMs;
  const isLater = one.swapped !== true && lateMs !== null && lateMs >= OTHER_SAILING_MS_MIN;
  const isLeft = (left !== null || isOff) && (lateMs === null || lateMs > 0);
  if (!isLater && !isLeft) return [{ ...known, swapped: true }];
  return [{ ...known, rollOver: { next: { vessel, voyage, expectedMs } } }];
}

/** The box has left on another sailing than the one that was taken for its departure. */
function isMadeLater(made: Leg, { departureMs, ...one }: MissedSailing, minMs: number): boolean {
  return isOtherSailing(made, one) && (made.departedMs ?? 0) - (departureMs ?? 0) >= minMs;
}

function hasSailed({ from, departureMs }: MissedSailing, timeline: Timeline, journey: Journey): boolean {
  if (isWaitingForVessel(journey) && placeKey(journey.place) === from) return false;
  const { hereMs, elsewhereMs } = sightings(from, timeline);
  return elsewhereMs > (hereMs ?? departureMs ?? elsewhereMs);
}

/** When the box was last reported at the place, and when last by vessel elsewhere. */
export function sightings(
  from: string | null,
  timeline: Timeline,
): { readonly hereMs: number | null; readonly elsewhereMs: number } {
  const actual = timeline.filter((event) => event.classifier === "actual" && event.laden !== false);
  const here = actual.findLast((event) => placeKey(event.place) === from)?.at.ms ?? null;
  const elsewhere = actual.findLast(
    (event) => event.mode === "vessel" && event.place !== null && placeKey(event.place) !== from,
  );
  return { hereMs: here, elsewhereMs: elsewhere?.at.ms ?? Number.NEGATIVE_INFINITY };
}

/** The vessel has left, and the box was not aboard. */
function departureWithout(one: MissedSailing, timeline: Timeline, journey: Journey): CarrierEvent | null {
  // At a call on the way the box leaves aboard.
  const isOnIt = isAboard(journey) && !isOtherSailing(nameOf(journey), one);
  if (isOnIt) return null;
  // An earlier departure is from the call before.
  const fromMs = (one.departureMs ?? Number.NEGATIVE_INFINITY) - IN_PORT_MS_MAX;
  const left = timeline.findLast(
    (event) =>
      event.classifier === "actual" &&
      isVesselCall(event, "DEPA") &&
      !isOffBerth(event) &&
      placeKey(event.place) === one.from &&
      event.at.ms > fromMs &&
      isKnownSame(nameOf(event), one) &&
      !journey.departures.includes(event),
  );
  return left ?? null;
}

/** An answer from before the vessel left without the box is no silence. */
export function isKnownToHaveLeft(
  sailing: Sailing,
  dueMs: number,
  { missedSailings = [] }: SailingsOfBox,
): boolean {
  if (sailing.vessel === null) return false;
  return rolledOver(missedSailings).some(
    (one) => isSameMissed(one, { imo: null, ...sailing }) && dueMs <= (one.departureMs ?? dueMs - 1),
  );
}

type SailingsOfBox = Pick<BoxRecord, "sailings" | "missedSailings">;

/** Port and number among the sailings of the box from there, from 1. */
export function sailingKey(sailing: Sailing, { sailings, missedSailings = [] }: SailingsOfBox): string {
  const missed = numbered(missedSailings).filter(({ from }) => from === sailing.from);
  const count = Math.max(0, ...missed.map(({ nth = 0 }) => nth));
  const fromThere = sailings.filter(({ from }) => from === sailing.from);
  return `${sailing.from}:${count + fromThere.indexOf(sailing) + 1}`;
}

/** The same of a sailing that the box was rolled over from. */
export function missedKey(missed: MissedSailing, { missedSailings = [] }: SailingsOfBox): string {
  const { nth = 0 } = numbered(missedSailings)[missedSailings.indexOf(missed)] ?? missed;
  return `${missed.from}:${nth}`;
}

/** The sailing from there that the last answers left out. */
export function leftOut(from: string, { missedSailings = [] }: KnownSailings): Sailing | null {
  const missed = missedSailings.findLast((one) => one.from === from && one.rollOver === null);
  const { departureMs = null, promisedMs } = missed ?? {};
  if (missed === undefined || departureMs === null || promisedMs === undefined) return null;
  const { vessel, imo, voyage } = missed;
  return { from, vessel, imo: imo ?? null, voyage, promisedMs, expectedMs: departureMs, departedMs: null };
}

/** Keys of roll-overs before the box sailed from there, not to be raised should its departure be withdrawn. */
export function pastRollOvers({ sailings, timeline }: BoxRecord): readonly string[] {
  const left = new Set(sailings.flatMap(({ from, departedMs }) => (departedMs === null ? [] : [from])));
  return [...left].flatMap((from) => takenOffAt(from, timeline).map((_, index) => rollOverKey(from, index)));
}

/** `index` counts the roll-overs there. */
function rollOverKey(from: string, index: number): string {
  return `${from}:${index + 1}:rolled_over`;
}

export function rolledOver(missed: readonly MissedSailing[]): readonly MissedSailing[] {
  return missed.filter(({ rollOver }) => rollOver !== null);
}
