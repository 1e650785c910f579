/**
 * Places the cargo of one container in other ways, if moving it as it lies keeps not all limits of weight or leaves gaps:
 * flatter over the whole floor, or stop above stop or beside stop over the whole length instead of one behind the other.
 * The container and its cargo stay the same.
 */
import { volumeOf, type LoadRequest } from "../../request/cargo.ts";
import { isBudgetSpent, roomOf, type LoadedContainer, type SearchBudget } from "../container-filling.ts";
import { piecesOf } from "../packing/item.ts";
import type { Zone, Zoning } from "../packing/zones.ts";
import { placeOtherwise } from "../packing/search.ts";
import { balanced, type Balanced, type BalancingBudget } from "./balance.ts";

export function rearranged(
  request: LoadRequest,
  from: Balanced,
  budget: SearchBudget,
  balancing: BalancingBudget,
): Balanced {
  const { choice, stacks } = from.container;
  const counts = new Int32Array(request.cargo.length);
  for (const stack of stacks) counts[stack.item]! += piecesOf(stack);
  const items = budget.itemsByChoice.get(choice)!.map((item, line) => ({ ...item, count: counts[line]! }));
  let best = from;
  const costOf = (other: LoadedContainer["stacks"]) => {
    if (balancing.rows <= 0) return 0;
    const found = balanced(request, { ...from.container, stacks: other }, balancing, false);
    if (isBetter(found, best)) best = found;
    return found.excess + found.apart / APART_COST;
  };
  const zonings = zoningsOf(request, from.container);
  for (const [at, zoning] of zonings.entries()) {
    if (isBest(best) || balancing.rows <= 0 || isBudgetSpent(budget)) break;
    const stepsMax = Math.floor((budget.stepsMax - budget.steps) / (zonings.length - at));
    placeOtherwise(items, roomOf(choice), zoning, stepsMax, budget, costOf);
  }
  return best;
}

/** Standing apart counts less than any excess that matters. */
const APART_COST = 1_000;

export function isBest({ excess, apart }: Balanced): boolean {
  return excess === 0 && apart === 0;
}

function isBetter(one: Balanced, other: Balanced): boolean {
  return one.excess < other.excess || (one.excess === other.excess && one.apart < other.apart);
}

/** Shares of the height that are free beyond what the volume takes. */
const SPARE = [0.1, 0.35];

/** Fuller containers have no room for zones. */
const ZONED_FILL_MAX = 0.85;

type StopShare = { readonly stop: number; readonly own: number; readonly upTo: number };

/** The zones to try: as before, in layers, by weight along the container, and side by side. */
function zoningsOf(request: LoadRequest, { choice, stacks, volume }: LoadedContainer): readonly Zoning[] {
  const { widthMm, heightMm, lengthMm } = choice.type;
  const stops = sharesOf(request, stacks, volume);
  const all = { items: null, y0: 0, y1: widthMm, z1: heightMm };
  const fill = volume / (lengthMm * widthMm * heightMm);
  const zoned = (zonesOf: (share: StopShare) => readonly Zone[]): Zoning =>
    new Map(stops.map((one) => [one.stop, zonesOf(one)]));
  const layers = SPARE.map((spare) =>
    zoned(({ upTo }) => {
      const share = Math.min(1, fill * upTo + spare * (1 - fill));
      return [{ ...all, z1: Math.floor(heightMm * share) }];
    }),
  );
  const byWeight = [true, false].map((isFirst) =>
    zoned(({ stop }) => [{ ...all, items: heavyOf(request, stop, isFirst) }]),
  );
  if (fill > ZONED_FILL_MAX) return [new Map(), ...byWeight];
  const own = [new Map(), ...layers, ...byWeight];
  if (stops.length === 1) return own;
  const lanes = zoned(({ own: share, upTo }) => {
    const y0 = Math.floor(widthMm * (upTo - share));
    return [{ ...all, y0, y1: Math.ceil(widthMm * upTo) }];
  });
  const outer = stops.slice(0, OUTER_MAX).map(({ stop: out, own: share }) => {
    const side = Math.round((widthMm * share) / 2);
    return zoned(({ stop }) =>
      stop === out
        ? [
            { ...all, y1: side },
            { ...all, y0: widthMm - side },
          ]
        : [{ ...all, y0: side, y1: widthMm - side }],
    );
  });
  return [...own, lanes, ...outer];
}

/** Stops that are tried on both sides of the others. */
const OUTER_MAX = 3;

/** In the order of loading: its share of the volume, and that of all up to it. */
function sharesOf(
  { cargo }: LoadRequest,
  stacks: LoadedContainer["stacks"],
  volume: number,
): readonly StopShare[] {
  const volumes = new Map<number, number>();
  for (const stack of stacks) {
    const { stop } = cargo[stack.item]!;
    const { dx, dy, dz } = stack.pose;
    volumes.set(stop, (volumes.get(stop) ?? 0) + piecesOf(stack) * dx * dy * dz);
  }
  let upTo = 0;
  return [...volumes]
    .toSorted(([a], [b]) => b - a)
    .map(([stop, own]) => {
      upTo += own / volume;
      return { stop, own: own / volume, upTo };
    });
}

/** Lines of a stop that are denser than half of them, or, not `isHeavy`, the others. */
function heavyOf({ cargo }: LoadRequest, stop: number, isHeavy: boolean): ReadonlySet<number> {
  const own = [...cargo.keys()].filter((at) => cargo[at]!.stop === stop);
  const density = (at: number) => cargo[at]!.weightG / volumeOf(cargo[at]!);
  const sorted = own.toSorted((a, b) => density(b) - density(a));
  const half = Math.ceil(sorted.length / 2);
  return new Set(isHeavy ? sorted.slice(0, half) : sorted.slice(half));
}
