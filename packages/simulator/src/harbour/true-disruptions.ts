/** Sailings that slip, pass in silence, or leave a box behind (spec 6.3: schedule_disruption). */
import { DAY_MS, HOUR_MS } from "../world/durations.ts";
import { departureKey } from "./true-milestones.ts";
import type { LegShip, Ship, TrueSailing, TrueState } from "./true-state.ts";

/** Of each leg: the sailing expected last, the first promise, and how much of its delay was raised. */
export type SailingsTold = Map<number, SailingTold>;

type SailingTold = {
  /** Null: the ship has left without the box, and the next one is not known. */
  sailing: TrueSailing | null;
  firstMs: number;
  toldByMs: number;
  /** Ships that left the box behind, and days on which one should have left, for which that was raised. */
  rolled: readonly Ship[];
  readonly silent: Set<string>;
  /** Since when its departure, once stated, is not. */
  takenBackMs: number | null;
};

/** Spec 8: a slip of 48 hours counts, and a silence of 24 (decisions of the project); then each day more. */
const SLIPPED_MS = 48 * HOUR_MS;
const GROWN_MS = 24 * HOUR_MS;
const ROLLED_MS = 24 * HOUR_MS;
const SILENT_MS = 24 * HOUR_MS;

/** What each new disruption is compared by: its kind and the hours of delay. */
export function disruptionsOf(
  state: TrueState,
  all: SailingsTold,
  nowMs: number,
  departedBefore: ReadonlySet<string>,
): readonly string[] {
  const news: string[] = [];
  for (const sailing of state.sailings) {
    const told = all.get(sailing.leg) ?? promiseOf(sailing);
    all.set(sailing.leg, told);
    const byMs = delayToTell(state, told, sailing, nowMs);
    if (byMs !== null) news.push(`slipped ${Math.round((byMs / HOUR_MS) * 100) / 100}`);
    told.sailing = sailing;
    const silence = `${sailing.vessel} ${sailing.voyage} ${Math.floor(sailing.expectedMs / DAY_MS)}`;
    if (departedBefore.has(departureKey(sailing.leg))) told.takenBackMs = nowMs;
    if (sailing.here && nowMs >= silentMs(sailing, told) && !told.silent.has(silence)) {
      told.silent.add(silence);
      news.push("not_departed");
    }
  }
  for (const ship of state.left) {
    const told = all.get(ship.leg) ?? promiseOf(null);
    all.set(ship.leg, told);
    const next = state.sailings.find(({ leg }) => leg === ship.leg);
    // She comes back: her sailing has only been put off.
    if (next !== undefined && !isOther(next, ship) && isNext(next, ship)) continue;
    const isKnown = told.rolled.some((one) => !isOther(one, ship));
    told.rolled = [...told.rolled, ship];
    if (isKnown || (next !== undefined && isNext(next, ship))) continue;
    told.sailing = null;
    news.push("not_departed");
  }
  return news;
}

/** The delay to raise now; null: none. */
function delayToTell(
  { takenOff }: TrueState,
  told: SailingTold,
  sailing: TrueSailing,
  nowMs: number,
): number | null {
  const { sailing: before } = told;
  if (before === null) {
    told.firstMs = sailing.expectedMs;
    told.toldByMs = Number.NEGATIVE_INFINITY;
    return null;
  }
  const delayMs = sailing.expectedMs - told.firstMs;
  if (!isOther(before, sailing)) {
    if (delayMs < Math.max(SLIPPED_MS, told.toldByMs + GROWN_MS)) return null;
    told.toldByMs = delayMs;
    return delayMs;
  }
  const rolledByMs = sailing.expectedMs - before.expectedMs;
  const isLeft =
    before.expectedMs <= nowMs || takenOff.some((ship) => ship.leg === before.leg && !isOther(ship, before));
  const isNews = !told.rolled.some((one) => !isOther(one, before));
  if (!isLeft && rolledByMs < ROLLED_MS) {
    // Another ship in place of the one promised; the change alone raises nothing.
    told.toldByMs = Math.max(told.toldByMs, delayMs);
    return null;
  }
  told.rolled = [...told.rolled, before];
  told.firstMs = sailing.expectedMs;
  told.toldByMs = Number.NEGATIVE_INFINITY;
  return isNews ? rolledByMs : null;
}

function promiseOf(sailing: TrueSailing | null): SailingTold {
  return {
    sailing,
    firstMs: sailing?.expectedMs ?? 0,
    toldByMs: Number.NEGATIVE_INFINITY,
    rolled: [],
    silent: new Set(),
    takenBackMs: null,
  };
}

/** Another vessel or another voyage, both known. */
function isOther(a: Ship, b: Ship): boolean {
  const differ = (one: string | null, other: string | null): boolean =>
    one !== null && other !== null && one !== other;
  return differ(a.vessel, b.vessel) || differ(a.voyage, b.voyage);
}

/** No ship is back sooner. */
const ROUND_MS_MIN = 5 * DAY_MS;

/** Another sailing, or the same ship's when she comes back under the same number. */
function isNext(sailing: TrueSailing, left: LegShip): boolean {
  return isOther(sailing, left) || sailing.expectedMs - left.atMs > ROUND_MS_MIN;
}

/** A departure that an answer leaves out may be known to the next one. */
function silentMs({ leavesByMs }: TrueSailing, { takenBackMs }: SailingTold): number {
  return Math.max(leavesByMs, takenBackMs ?? leavesByMs) + SILENT_MS;
}

export function nextSilenceMs({ sailings }: TrueState, all: SailingsTold, nowMs: number): number | null {
  const moments = sailings
    .map((sailing) => silentMs(sailing, all.get(sailing.leg) ?? promiseOf(sailing)))
    .filter((ms) => ms > nowMs);
  return moments.length === 0 ? null : Math.min(...moments);
}
