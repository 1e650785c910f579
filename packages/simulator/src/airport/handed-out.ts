/**
 * What of a waybill is known to be handed out. Two things that an airline says may be of the same pieces, where nothing
 * that it says tells whether they are: then the pieces count once.
 */
import { DAY_MS, HOUR_MS } from "../world/durations.ts";
import type { Hearing } from "./hearing.ts";
import type { Report } from "./reporting.ts";

/** Up to the delivery that completes the whole; null: nothing does for certain. */
export function handedOutInFull(
  handedOut: readonly Report[],
  pieces: number,
  hearing: Hearing,
): readonly Report[] | null {
  const readable = handedOut.filter(({ isGarbled }) => !isGarbled);
  const whole = readable.filter(({ milestone }) => milestone.pieces === pieces);
  // One that comes to the door later, as a whole, hands out nothing new.
  if (whole.length > 0) return [whole.toSorted((a, b) => orderMs(a) - orderMs(b))[0]!];
  if (readable.every(({ isBare }) => isBare)) return null;
  const sure = withoutPutRight(readable, hearing);
  if (surePieces(sure, sure) < pieces) return null;
  const inOrder = sure.toSorted((a, b) => orderMs(a) - orderMs(b));
  const count = inOrder.findIndex((_, index) => surePieces(inOrder.slice(0, index + 1), sure) >= pieces);
  return inOrder.slice(0, count + 1);
}

/** Without a part that may be one reported before, its time put right: two alike within hours, never said together. */
function withoutPutRight(
  handedOut: readonly Report[],
  { heardTogether }: Pick<Hearing, "heardTogether">,
): readonly Report[] {
  const byKey = new Map(handedOut.map((report) => [report.key, report]));
  return handedOut.filter(({ key, isOfDay, milestone }) => {
    const before = byKey.get(key - 1);
    const isPair = milestone.isNearAlike && before?.milestone.isNearAlike === true;
    return !isPair || isOfDay || heardTogether.has(key);
  });
}

/** `all`: what else is known to be handed out, also afterwards. */
function surePieces(reports: readonly Report[], all: readonly Report[]): number {
  const total = reports.reduce((sum, { milestone }) => sum + milestone.pieces, 0);
  const broughtOn = sumsOf(reports.filter((report) => isToDoor(report) && hasAirportBefore(report, all)));
  const handedOver = sumsOf(reports.filter((report) => !isToDoor(report) && hasDoorAfter(report, all)));
  return total - Math.max(...[...broughtOn].filter((sum) => handedOver.has(sum)));
}

/** All numbers of pieces that some of the reports add up to. */
function sumsOf(reports: readonly Report[]): ReadonlySet<number> {
  let sums = new Set([0]);
  for (const { milestone } of reports) {
    const parts = milestone.isByPiece
      ? Array.from({ length: milestone.pieces }, () => 1)
      : [milestone.pieces];
    for (const pieces of parts) sums = new Set([...sums].flatMap((sum) => [sum, sum + pieces]));
  }
  return sums;
}

function isToDoor({ milestone }: Report): boolean {
  return milestone.code === "DDL";
}

/** Times are put right by less. */
const PUT_RIGHT_MS_MAX = 3 * HOUR_MS;

function hasAirportBefore(door: Report, all: readonly Report[]): boolean {
  return all.some((report) => !isToDoor(report) && mayPrecede(report, door));
}

function hasDoorAfter(airport: Report, all: readonly Report[]): boolean {
  return all.some((report) => isToDoor(report) && mayPrecede(airport, report));
}

/** Of a thing said with its day only, nobody knows when on that day it was. */
function mayPrecede(airport: Report, door: Report): boolean {
  const latestMs = door.milestone.atMs + (door.isOfDay ? DAY_MS : 0);
  return airport.milestone.atMs < latestMs + PUT_RIGHT_MS_MAX;
}

function orderMs({ milestone, isOfDay, trueMs }: Report): number {
  return isOfDay ? trueMs : milestone.atMs;
}
