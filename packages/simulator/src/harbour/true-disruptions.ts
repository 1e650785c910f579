/** Sailings that slip, pass in silence, or leave a box behind (spec 6.3: schedule_disruption). */
import { DAY_MS, HOUR_MS } from "../world/durations.ts";
import type { TrueSailing, TrueState } from "./true-state.ts";

/** Of each leg: the ship expected last, the first promise, and how much of its delay was told. */
export type SailingsTold = Map<number, SailingTold>;

type SailingTold = {
  sailing: TrueSailing;
  firstMs: number;
  toldByMs: number;
  /** Ships that left the box behind, and days on which one should have left, of which was told. */
  readonly rolled: Set<string>;
  readonly silent: Set<string>;
};

/** Spec 8: a slip of 48 hours counts, and a silence of 24 (decisions of the project); then each day more. */
const SLIPPED_MS = 48 * HOUR_MS;
const GROWN_MS = 24 * HOUR_MS;
const ROLLED_MS = 24 * HOUR_MS;
const SILENT_MS = 24 * HOUR_MS;

/** What each new disruption is compared by: its kind and the hours of delay. */
export function disruptionsOf({ sailings }: TrueState, all: SailingsTold, nowMs: number): readonly string[] {
  const news: string[] = [];
  for (const sailing of sailings) {
    const { leg, expectedMs, here } = sailing;
    const told = all.get(leg) ?? promiseOf(sailing);
    all.set(leg, told);
    const delayMs = expectedMs - told.firstMs;
    if (isOther(told.sailing, sailing)) {
      const rolledByMs = expectedMs - told.sailing.expectedMs;
      const ship = shipOf(told.sailing);
      const left = told.sailing.expectedMs <= nowMs;
      if ((left || rolledByMs >= ROLLED_MS) && !told.rolled.has(ship)) news.push(slipped(rolledByMs));
      told.rolled.add(ship);
      // Whatever it comes to is no news of the ship that is to take the box now.
      told.toldByMs = Math.max(told.toldByMs, delayMs);
    } else if (delayMs >= Math.max(SLIPPED_MS, told.toldByMs + GROWN_MS)) {
      told.toldByMs = delayMs;
      news.push(slipped(delayMs));
    }
    told.sailing = sailing;
    const silence = `${shipOf(sailing)} ${Math.floor(expectedMs / DAY_MS)}`;
    if (here && nowMs - expectedMs >= SILENT_MS && !told.silent.has(silence)) {
      told.silent.add(silence);
      news.push("not_departed");
    }
  }
  return news;
}

function promiseOf(sailing: TrueSailing): SailingTold {
  return {
    sailing,
    firstMs: sailing.expectedMs,
    toldByMs: Number.NEGATIVE_INFINITY,
    rolled: new Set(),
    silent: new Set(),
  };
}

/** Another vessel or another voyage, both known. */
function isOther(a: TrueSailing, b: TrueSailing): boolean {
  const differ = (one: string | null, other: string | null): boolean =>
    one !== null && other !== null && one !== other;
  return differ(a.vessel, b.vessel) || differ(a.voyage, b.voyage);
}

function shipOf({ vessel, voyage }: TrueSailing): string {
  return `${vessel} ${voyage}`;
}

function slipped(byMs: number): string {
  return `slipped ${Math.round((byMs / HOUR_MS) * 100) / 100}`;
}

export function nextSilenceMs({ sailings }: TrueState, nowMs: number): number | null {
  const moments = sailings.map(({ expectedMs }) => expectedMs + SILENT_MS).filter((ms) => ms > nowMs);
  return moments.length === 0 ? null : Math.min(...moments);
}
