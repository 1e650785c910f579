/**
 * Moves a load so that its container keeps the limits of weight, as little as it can: sections of it, none of which
 * cuts a piece, are mirrored, moved across, moved along, exchanged, and set apart. What lies on what does not change.
 * With several stops, sections keep their order.
 *
 *     limits broken? ─▶ across: mirrored, moved ─▶ along: as it is, turned around, set apart, exchanged ─▶ the best
 */
import type { LoadRequest } from "../../request/cargo.ts";
import { volumeOf } from "../../request/cargo.ts";
import type { LoadedContainer } from "../container-filling.ts";
import { isKept, limitsOf } from "./limits.ts";
import { mirrored, movedAcross, sectionsOf, stacksOfRows, turnedAround, weightOf } from "./sections.ts";
import type { Row, Section } from "./sections.ts";

/** The pieces of more sections stay together: exchanging takes the square of their number. */
const SECTIONS_MAX = 40;

/** Arrangements of one container that are tried. */
const ARRANGEMENTS_MAX = 400;

/** Rows read for all containers of a plan; a second of one core. */
export const BALANCING_ROWS_MAX = 4_000_000;

export type BalancingBudget = { rows: number };

export function balanced(
  request: LoadRequest,
  container: LoadedContainer,
  budget: BalancingBudget,
): LoadedContainer {
  const { cargo, offCentreMax } = request;
  const { type } = container.choice;
  const weights = container.stacks.map((stack) => weightOf(cargo, stack));
  const broken = limitsOf(weights, type, offCentreMax).filter((limit) => !isKept(limit));
  if (broken.length === 0 || container.volume > volumeOf(type)) return container;
  const stops = new Set(container.stacks.map(({ item }) => cargo[item]!.stop));
  const isFree = stops.size === 1;
  const whole = sectionsOf(cargo, container.stacks, SECTIONS_MAX);
  const isOffAcross = broken.some(({ limit }) => limit === "off_centre_width");
  const sections = isOffAcross ? levelled(whole, type.widthMm, isFree || isByStop(request, whole)) : whole;
  const load: Load = { request, type, budget, tried: 0 };
  const first: Arrangement = { sections, apart: 0 };
  let best = { arrangement: first, excess: excessOf(load, first) };
  for (const arrangement of arrangementsToTry(sections, isFree)) {
    if (best.excess === 0) break;
    const excess = excessOf(load, arrangement);
    if (excess < best.excess) best = { arrangement, excess };
  }
  if (isFree && best.excess > 0) best = exchanged(load, best);
  const before = limitsOf(weights, type, offCentreMax).reduce((sum, limit) => sum + overshoot(limit), 0);
  if (best.excess >= before) return container;
  return { ...container, stacks: stacksOfRows(placed(load, best.arrangement)) };
}

/** No section has a stop that is later than one nearer to the front wall: then each may be mirrored by itself. */
function isByStop({ cargo }: LoadRequest, sections: readonly Section[]): boolean {
  let least = Infinity;
  return sections.every(({ rows }) => {
    const stops = rows.map(({ item }) => cargo[item]!.stop);
    const isLater = stops.some((stop) => stop > least);
    least = stops.reduce((found, stop) => Math.min(found, stop), least);
    return !isLater;
  });
}

type Load = {
  readonly request: LoadRequest;
  readonly type: LoadedContainer["choice"]["type"];
  readonly budget: BalancingBudget;
  tried: number;
};

/** `apart`: the share of the free length that is left between sections, 0 to 1. */
type Arrangement = { readonly sections: readonly Section[]; readonly apart: number };

type Rated = { readonly arrangement: Arrangement; readonly excess: number };

/** Cargo that stands together is easier to secure, so it is set apart last. */
function arrangementsToTry(sections: readonly Section[], isFree: boolean): readonly Arrangement[] {
  const turned = sections.map(turnedAround).toReversed();
  const orders = isFree ? [sections, turned] : [sections];
  return [0, 0.25, 0.5, 0.75, 1].flatMap((apart) => orders.map((order) => ({ sections: order, apart })));
}

/** By how much limits are exceeded, as shares of them. */
function overshoot({ value, max }: Parameters<typeof isKept>[0]): number {
  return isKept({ limit: "line_load_kg_m", value, max }) ? 0 : max === 0 ? 1 + value : value / max - 1;
}

function excessOf(load: Load, arrangement: Arrangement): number {
  const { request, type, budget } = load;
  const rows = placed(load, arrangement);
  load.tried += 1;
  budget.rows -= rows.length;
  const weights = rows.map((row) => weightOf(request.cargo, row));
  return limitsOf(weights, type, request.offCentreMax).reduce((sum, limit) => sum + overshoot(limit), 0);
}

/** From the front wall on, if the centre of gravity allows it; else with it in the middle, as far as there is room. */
function placed({ request, type }: Load, { sections, apart }: Arrangement): readonly Row[] {
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
  const front = Math.abs(off) <= most ? 0 : Math.max(0, Math.min(room, Math.round(off)));
  return sections.flatMap(({ rows }, at) => rows.map((row) => ({ ...row, x: row.x + front + starts[at]! })));
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
        const excess = excessOf(load, arrangement);
        if (excess >= best.excess) continue;
        best = { arrangement, excess };
        isBetter = true;
      }
    }
  }
  return best;
}

/** The centre of gravity in the middle of the width, or near it: mirrored first, then moved off the walls. */
function levelled(sections: readonly Section[], widthMm: number, isFree: boolean): readonly Section[] {
  const momentOf = ({ across, weightG }: Section) => (across - widthMm / 2) * weightG;
  const weightG = sections.reduce((sum, one) => sum + one.weightG, 0);
  let moment = sections.reduce((sum, one) => sum + momentOf(one), 0);
  if (!isFree) {
    const wanted = -Math.round(moment / weightG);
    const moves = sections.map((one) => movedAcross(one, wanted, widthMm).across - one.across);
    const least = moves.reduce((found, by) => (Math.abs(by) < Math.abs(found) ? by : found), wanted);
    return sections.map((one) => movedAcross(one, Math.trunc(least), widthMm));
  }
  const level = [...sections];
  const heaviest = [...level.keys()].toSorted(
    (a, b) => Math.abs(momentOf(level[b]!)) - Math.abs(momentOf(level[a]!)),
  );
  for (const at of heaviest) {
    const own = momentOf(level[at]!);
    if (Math.abs(moment - 2 * own) >= Math.abs(moment)) continue;
    level[at] = mirrored(level[at]!, widthMm);
    moment -= 2 * own;
  }
  for (const at of heaviest) {
    const own = level[at]!;
    if (own.weightG === 0) continue;
    level[at] = movedAcross(own, -Math.round(moment / own.weightG), widthMm);
    moment += momentOf(level[at]) - momentOf(own);
  }
  return level;
}
