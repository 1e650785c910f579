/**
 * Moves a load so that its container keeps the limits of weight, as little as it can: sections of it, none of which
 * cuts a piece, are mirrored, moved across, moved along, exchanged, and set apart. What lies on what does not change,
 * and nothing gets in the way of what is unloaded before it.
 *
 *     limits broken? ─▶ across: mirrored, moved ─▶ along: as it is, turned around, set apart, exchanged ─▶ the best
 */
import { type CargoLine, type LoadRequest, volumeOf } from "../../request/cargo.ts";
import type { LoadedContainer } from "../container-filling.ts";
import { isKept, type Limit, limitsOf } from "./limits.ts";
import {
  mirrored,
  movedAcross,
  type Row,
  type Section,
  sectionsOf,
  stacksOfRows,
  turnedAround,
  weightOf,
} from "./sections.ts";

/** The pieces of more sections stay together: exchanging takes the square of their number. */
const SECTIONS_MAX = 40;

/** Arrangements of one container that are tried. */
const ARRANGEMENTS_MAX = 400;

/** Rows read for all containers of a plan; a second of one core. */
export const BALANCING_ROWS_MAX = 4_000_000;

/** Pairs of rows that take as long to compare as a row to read. */
const ROWS_COMPARED = 32;

export type BalancingBudget = { rows: number };

/** `excess`: by how much limits are exceeded, as a sum of shares of them. `apart`: as of an arrangement. */
export type Balanced = {
  readonly container: LoadedContainer;
  readonly excess: number;
  readonly apart: number;
};

/** `isThorough`: exchanging is tried, which takes longest. */
export function balanced(
  request: LoadRequest,
  container: LoadedContainer,
  budget: BalancingBudget,
  isThorough = true,
): Balanced {
  const { cargo } = request;
  const { type } = container.choice;
  const weights = container.stacks.map((stack) => weightOf(cargo, stack));
  const limits = limitsOf(weights, type, request);
  const before = limits.reduce((sum, limit) => sum + overshoot(limit), 0);
  const unchanged = { container, excess: before, apart: 0 };
  if (limits.every(isKept) || container.volume > volumeOf(type)) return unchanged;
  const stops = new Set(container.stacks.map(({ item }) => cargo[item]!.stop));
  const whole = sectionsOf(cargo, container.stacks, SECTIONS_MAX);
  const isOffAcross = limits.some((limit) => limit.limit === "off_centre_width" && !isKept(limit));
  const load: Load = { request, type, budget, isOneStop: stops.size === 1, tried: 0 };
  const first: Arrangement = { sections: whole, apart: 0 };
  let best: Rated = { arrangement: first, excess: excessOf(load, first) };
  for (const sections of isOffAcross ? levelled(whole, type.widthMm, load.isOneStop) : [whole]) {
    for (const arrangement of arrangementsToTry(sections, request.vehicle !== null)) {
      if (best.excess === 0) break;
      const excess = excessOf(load, arrangement, best.excess);
      if (excess < best.excess) best = { arrangement, excess };
    }
  }
  if (isThorough && best.excess > 0) best = exchanged(load, best);
  if (best.excess >= before) return unchanged;
  const stacks = stacksOfRows(placed(load, best.arrangement));
  return { container: { ...container, stacks }, excess: best.excess, apart: best.arrangement.apart };
}

type Load = {
  readonly request: LoadRequest;
  readonly type: LoadedContainer["choice"]["type"];
  readonly budget: BalancingBudget;
  readonly isOneStop: boolean;
  tried: number;
};

/**
 * `apart`: the share of the free length that is left between sections, 0 to 1; `before`: the share of the rest that is
 * left at the front wall, by default what the centre of gravity needs.
 */
type Arrangement = {
  readonly sections: readonly Section[];
  readonly apart: number;
  readonly before?: number;
};

type Rated = { readonly arrangement: Arrangement; readonly excess: number };

/** Cargo that stands together is easier to secure, so it is set apart last. */
function arrangementsToTry(sections: readonly Section[], isOnAxles: boolean): readonly Arrangement[] {
  const turned = sections.map(turnedAround);
  const orders = [sections, turned.toReversed(), turned, sections.toReversed()];
  const moved = isOnAxles
    ? MOVED.flatMap((before) => orders.map((one) => ({ sections: one, apart: 0, before })))
    : [];
  const apart = [0, 0.25, 0.5, 0.75, 1].flatMap((share) =>
    orders.map((order) => ({ sections: order, apart: share })),
  );
  return [...moved, ...apart];
}

/** Shares of the free length at the front wall, tried where axles decide. */
const MOVED = Array.from({ length: 11 }, (_, at) => at / 10);

/** By how much a limit is exceeded, as a share of it. */
function overshoot({ value, max }: Limit): number {
  return isKept({ limit: "line_load_kg_m", value, max }) ? 0 : max === 0 ? 1 + value : value / max - 1;
}

/** Infinity: no less than `toBeat`, or something would be in the way of what is unloaded before it. */
function excessOf(load: Load, arrangement: Arrangement, toBeat = Infinity): number {
  const { request, type, budget } = load;
  load.tried += 1;
  budget.rows -= arrangement.sections.length;
  if (offCentreExcess(load, arrangement) >= toBeat) return Infinity;
  const rows = placed(load, arrangement);
  budget.rows -= rows.length;
  const weights = rows.map((row) => weightOf(request.cargo, row));
  const limits = limitsOf(weights, type, request);
  const excess = limits.reduce((sum, limit) => sum + overshoot(limit), 0);
  if (load.isOneStop || excess >= toBeat) return excess;
  budget.rows -= rows.length ** 2 / ROWS_COMPARED;
  return isAnyBarred(request.cargo, rows) ? Infinity : excess;
}

/** By the centre of gravity alone, without reading rows. */
function offCentreExcess(load: Load, arrangement: Arrangement): number {
  const { offCentreMax } = load.request;
  if (offCentreMax === null) return 0;
  const { lengthMm, widthMm } = load.type;
  const starts = startsOf(load, arrangement);
  const { sections } = arrangement;
  const weightG = sections.reduce((sum, one) => sum + one.weightG, 0);
  const along = sections.reduce((sum, one, at) => sum + (starts[at]! + one.middle) * one.weightG, 0);
  const across = sections.reduce((sum, one) => sum + one.across * one.weightG, 0);
  const off = (moment: number, extent: number, max: number): Limit => {
    const value = Math.abs(moment / weightG / extent - 0.5);
    return { limit: "off_centre_length", value, max };
  };
  const { length, width } = offCentreMax;
  return overshoot(off(along, lengthMm, length)) + overshoot(off(across, widthMm, width));
}

/** From the front wall on, if the centre of gravity allows it; else with it in the middle, as far as there is room. */
function startsOf({ request, type }: Load, arrangement: Arrangement): readonly number[] {
  const { sections, apart, before } = arrangement;
  const free = type.lengthMm - sections.reduce((sum, { length }) => sum + length, 0);
  const gap = sections.length < 2 ? 0 : Math.floor((free * apart) / (sections.length - 1));
  const starts: number[] = [];
  let end = 0;
  for (const { length } of sections) {
    starts.push(end);
    end += length + gap;
  }
  const weightG = sections.reduce((sum, one) => sum + one.weightG, 0);
  const moment = sections.reduce((sum, one, at) => sum + (starts[at]! + one.middle) * one.weightG, 0);
  const off = type.lengthMm / 2 - moment / Math.max(1, weightG);
  const most = (request.offCentreMax?.length ?? 1) * type.lengthMm;
  const room = free - gap * (sections.length - 1);
  if (before !== undefined) return starts.map((start) => start + Math.floor(room * before));
  const front = Math.abs(off) <= most ? 0 : Math.max(0, Math.min(room, Math.round(off)));
  return starts.map((start) => front + start);
}

function placed(load: Load, arrangement: Arrangement): readonly Row[] {
  const starts = startsOf(load, arrangement);
  return arrangement.sections.flatMap(({ rows }, at) =>
    rows.map((row) => ({ ...row, x: row.x + starts[at]! })),
  );
}

/** Pairs of sections change places as long as that helps. */
function exchanged(load: Load, from: Rated): Rated {
  let best = from;
  let isBetter = true;
  const isSpent = () => load.tried >= ARRANGEMENTS_MAX || load.budget.rows <= 0;
  while (isBetter && best.excess > 0 && !isSpent()) {
    isBetter = false;
    const { length } = best.arrangement.sections;
    for (let one = 0; one < length - 1; one += 1) {
      for (let other = one + 1; other < length && best.excess > 0 && !isSpent(); other += 1) {
        const sections = [...best.arrangement.sections];
        [sections[one], sections[other]] = [sections[other]!, sections[one]!];
        const arrangement = { ...best.arrangement, sections };
        const excess = excessOf(load, arrangement, best.excess);
        if (excess >= best.excess) continue;
        best = { arrangement, excess };
        isBetter = true;
      }
    }
  }
  return best;
}

/**
 * The centre of gravity in the middle of the width, or near it. With one stop, sections are mirrored first, and then
 * moved off the walls; with several, that may put something in the way, so other ways follow.
 */
function levelled(
  sections: readonly Section[],
  widthMm: number,
  isOneStop: boolean,
): readonly (readonly Section[])[] {
  const weightG = sections.reduce((sum, one) => sum + one.weightG, 0);
  const moment = sections.reduce((sum, one) => sum + momentAcross(one, widthMm), 0);
  const mixed = mirroredByWeight(sections, widthMm, moment);
  if (isOneStop) return [mixed];
  const wanted = -Math.round(moment / weightG);
  const moves = sections.map((one) => movedAcross(one, wanted, widthMm).across - one.across);
  const least = moves.reduce((found, by) => (Math.abs(by) < Math.abs(found) ? by : found), wanted);
  const together = sections.map((one) => movedAcross(one, Math.trunc(least), widthMm));
  return [mixed, movedByWeight(sections, widthMm, moment), together];
}

function momentAcross({ across, weightG }: Section, widthMm: number): number {
  return (across - widthMm / 2) * weightG;
}

function heaviestFirst(sections: readonly Section[], widthMm: number): readonly number[] {
  const moments = sections.map((one) => Math.abs(momentAcross(one, widthMm)));
  return [...sections.keys()].toSorted((a, b) => moments[b]! - moments[a]!);
}

function mirroredByWeight(sections: readonly Section[], widthMm: number, moment: number): readonly Section[] {
  const level = [...sections];
  let left = moment;
  for (const at of heaviestFirst(sections, widthMm)) {
    const own = momentAcross(level[at]!, widthMm);
    if (Math.abs(left - 2 * own) >= Math.abs(left)) continue;
    level[at] = mirrored(level[at]!, widthMm);
    left -= 2 * own;
  }
  return movedByWeight(level, widthMm, left);
}

function movedByWeight(sections: readonly Section[], widthMm: number, moment: number): readonly Section[] {
  const level = [...sections];
  let left = moment;
  for (const at of heaviestFirst(sections, widthMm)) {
    const own = level[at]!;
    if (own.weightG === 0) continue;
    level[at] = movedAcross(own, -Math.round(left / own.weightG), widthMm);
    left += momentAcross(level[at], widthMm) - momentAcross(own, widthMm);
  }
  return level;
}

/** Something of a later stop is between a piece and the door, at its height and width. */
function isAnyBarred(cargo: readonly CargoLine[], rows: readonly Row[]): boolean {
  const byStop = [...Map.groupBy(rows, ({ item }) => cargo[item]!.stop)].toSorted(([a], [b]) => a - b);
  return byStop.some(([, early], at) => {
    const later = byStop.slice(at + 1).flatMap(([, group]) => group);
    return early.some((row) => later.some((other) => isBetween(row, other)));
  });
}

/** Whether `other` is nearer to the door than `row`, and before it. */
function isBetween(row: Row, other: Row): boolean {
  const { x, y, z, ny, nz, pose } = row;
  if (other.x + other.pose.dx <= x + pose.dx) return false;
  if (other.y >= y + ny * pose.dy || y >= other.y + other.ny * other.pose.dy) return false;
  return other.z < z + nz * pose.dz && z < other.z + other.nz * other.pose.dz;
}
