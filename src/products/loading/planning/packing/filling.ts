/**
 * A container being filled, block by block: where the next block goes, which blocks suit the place best, and what is
 * left afterwards. No state changes in place, so a search can continue from any of them.
 */
import { bearableOn, bearingAfter, bearingSteps, hasLimits, NOTHING_BORNE, type Bearing } from "./bearing.ts";
import type { Block } from "./block.ts";
import { blocksFor } from "./blocks.ts";
import type { Item, Room, Stack } from "./item.ts";
import { usableLengthsOf, type UsableLengths } from "./usable-lengths.ts";
import { ANYWHERE, stagesOf, type Stage, type Zoning } from "./zones.ts";
import { floorOf, surfacesAfter, type Surface } from "./surfaces.ts";

export type Placed = { readonly block: Block; readonly x: number; readonly y: number; readonly z: number };

/** The blocks placed so far, as a list from the last to the first. */
type Trail = { readonly placed: Placed; readonly before: Trail | null };

export type Filling = {
  readonly surfaces: readonly Surface[];
  /** Pieces left of each item. */
  readonly left: Int32Array;
  readonly weightG: number;
  /** Of the weight, about the middle of the width. */
  readonly moment: number;
  readonly volume: number;
  readonly trail: Trail | null;
  /** Blocks placed. */
  readonly placed: number;
  /** The largest first; a superset of what the pieces and the payload left allow, of one stop. */
  readonly blocks: readonly Block[];
  /** Null: nothing has a limit. */
  readonly bearing: Bearing | null;
  /** Which stage of loading it is in. */
  readonly stageAt: number;
};

export type PackingContext = {
  readonly room: Room;
  readonly items: readonly Item[];
  /** What is unloaded last first; each stop ends with a stage anywhere in the room. */
  readonly stages: readonly Stage[];
  readonly usable: UsableLengths;
  /** Then nothing is placed on other cargo if anything has a limit: a first filling is made however long it takes. */
  readonly bearingStepsEnd: number;
  /** Every block tried is a step; other work counts as the steps that take as long. */
  readonly budget: { steps: number };
};

/** For what bears how much, at the least. */
const BEARING_STEPS_MIN = 2_000_000;

export function emptyFilling(
  items: readonly Item[],
  room: Room,
  stepsMax: number,
  work: PackingContext["budget"],
  zoning: Zoning = ANYWHERE,
): { readonly context: PackingContext; readonly filling: Filling } {
  const bearingStepsEnd = work.steps + Math.max(stepsMax, BEARING_STEPS_MIN);
  const stages = stagesOf(blocksFor(items, room, stepsMax, work), room, zoning);
  return {
    context: {
      room,
      items,
      stages,
      usable: usableLengthsOf(items, room),
      bearingStepsEnd,
      budget: work,
    },
    filling: {
      surfaces: [floorOf(room)],
      left: Int32Array.from(items, ({ count }) => count),
      weightG: 0,
      moment: 0,
      volume: 0,
      trail: null,
      placed: 0,
      blocks: stages[0]?.blocks ?? [],
      bearing: hasLimits(items) ? NOTHING_BORNE : null,
      stageAt: 0,
    },
  };
}

/** Every so many blocks placed, blocks that are no longer available are dropped. */
const TIDY_INTERVAL_BLOCKS = 8;

type Moves = { readonly filling: Filling; readonly moves: readonly Placed[] };

/**
 * The `most` best placements, the best first, all at one place: the corner nearest to a corner of the room where a
 * block fits. None: the container is full or the cargo is aboard. The filling returned marks surfaces that no block
 * fits and drops blocks that are no longer available. What is unloaded last is loaded first.
 */
export function movesFrom(context: PackingContext, filling: Filling, most: number): Moves {
  const found = movesOfStage(context, filling, most);
  const stageAt = filling.stageAt + 1;
  const stage = context.stages[stageAt];
  if (found.moves.length > 0 || stage === undefined) return found;
  const surfaces = found.filling.surfaces.map((surface) => ({ ...surface, isExhausted: false }));
  return movesFrom(context, { ...found.filling, surfaces, blocks: stage.blocks, stageAt }, most);
}

function movesOfStage(context: PackingContext, filling: Filling, most: number): Moves {
  const { room, budget } = context;
  const { blocks: known } = filling;
  const isDue = filling.placed % TIDY_INTERVAL_BLOCKS === 0;
  if (isDue) budget.steps += known.length;
  const blocks = isDue ? known.filter((block) => isAvailable(block, filling, room)) : known;
  let { surfaces } = filling;
  while (true) {
    budget.steps += surfaces.length;
    const surface = nearestSurface(room, surfaces);
    if (surface === null || blocks.length === 0)
      return { filling: { ...filling, surfaces, blocks }, moves: [] };
    const moves = movesOn(context, { ...filling, blocks }, surface, most);
    if (moves.length > 0) return { filling: { ...filling, surfaces, blocks }, moves };
    surfaces = surfaces.map((other) => (other === surface ? { ...other, isExhausted: true } : other));
  }
}

function isAvailable(block: Block, { left, weightG }: Filling, { payloadG }: Room): boolean {
  if (weightG + block.weightG > payloadG) return false;
  for (let at = 0; at < block.items.length; at += 1) {
    if (block.counts[at]! > left[block.items[at]!]!) return false;
  }
  return true;
}

/** The surface whose nearest corner is nearest to the room's; of equally near ones, the largest. */
function nearestSurface(room: Room, surfaces: readonly Surface[]): Surface | null {
  let found: Surface | null = null;
  let least = Infinity;
  let size = 0;
  for (const surface of surfaces) {
    if (surface.isExhausted) continue;
    const { x0, y0, x1, y1, z } = surface;
    const distance = x0 + Math.min(y0, room.width - y1) + z;
    if (distance > least) continue;
    const volume = (x1 - x0) * (y1 - y0) * (room.height - z);
    if (distance === least && volume <= size) continue;
    found = surface;
    least = distance;
    size = volume;
  }
  return found;
}

/** Blocks that what lies below cannot bear, or that bar a way; after so many, a surface is given up. */
const REFUSALS_MAX = 200;

function movesOn(
  context: PackingContext,
  filling: Filling,
  surface: Surface,
  most: number,
): readonly Placed[] {
  const { room, usable, budget } = context;
  const { zone } = context.stages[filling.stageAt]!;
  const { x0, x1, z } = surface;
  const y0 = Math.max(surface.y0, zone.y0);
  const y1 = Math.min(surface.y1, zone.y1);
  if (y1 <= y0 || zone.z1 <= z) return [];
  const toFar = room.width - y1;
  // Between two walls, a block goes to the side with less weight.
  const isFar = toFar < y0 || (toFar === y0 && filling.moment < 0);
  const placedAt = (block: Block): Placed => ({ block, x: x0, y: isFar ? y1 - block.dy : y0, z });
  const { bearing } = filling;
  const bearable = bearing === null || z === 0 ? null : bearableOn(bearing, surface);
  let refusals = 0;
  const sx = x1 - x0;
  const sy = y1 - y0;
  const sz = zone.z1 - z;
  const space = sx * sy * sz;
  const best: { readonly block: Block; readonly merit: number }[] = [];
  let worst = -Infinity;
  for (const block of filling.blocks) {
    // The largest come first, and the merit of a block is at most its volume.
    if (best.length === most && block.volume <= worst) break;
    budget.steps += 1;
    const { dx, dy, dz } = block;
    if (dx > sx || dy > sy || dz > sz || (z > 0 && block.isOnFloor)) continue;
    const used = (dx + usable.x[sx - dx]!) * (dy + usable.y[sy - dy]!) * (dz + usable.z[sz - dz]!);
    const merit = block.volume - (space - used);
    if (best.length === most && merit <= worst) continue;
    if (!isAvailable(block, filling, room)) continue;
    if (bearable !== null && (block.weightG > bearable.weightG || block.layers > bearable.layers)) continue;
    if (!isAllowed(context, filling, placedAt(block))) {
      refusals += 1;
      if (refusals === REFUSALS_MAX) break;
      continue;
    }
    let at = best.length;
    while (at > 0 && best[at - 1]!.merit < merit) at -= 1;
    best.splice(at, 0, { block, merit });
    if (best.length > most) best.pop();
    worst = best.at(-1)!.merit;
  }
  return best.map(({ block }) => placedAt(block));
}

/** What lies below bears it, and nothing that is unloaded later bars its way to the door. */
function isAllowed(
  { items, budget, bearingStepsEnd }: PackingContext,
  filling: Filling,
  placed: Placed,
): boolean {
  const { block, z } = placed;
  const { bearing } = filling;
  if (filling.stageAt > 0) {
    budget.steps += filling.placed;
    if (isBarred(filling.trail, placed)) return false;
  }
  if (bearing === null || z === 0) return true;
  if (budget.steps > bearingStepsEnd) return false;
  budget.steps += bearingSteps(bearing, block.leaves);
  return bearingAfter(items, bearing, block.leaves, placed) !== null;
}

function isBarred(trail: Trail | null, { block, x, y, z }: Placed): boolean {
  for (let step = trail; step !== null; step = step.before) {
    const { block: other, ...at } = step.placed;
    if (other.stop === block.stop || at.x + other.dx <= x + block.dx) continue;
    const meetsAcross = at.y < y + block.dy && y < at.y + other.dy;
    if (meetsAcross && at.z < z + block.dz && z < at.z + other.dz) return true;
  }
  return false;
}

/** Search steps that placing one block counts as. */
const PLACING_STEPS = 100;

export function place({ room, items, budget }: PackingContext, filling: Filling, placed: Placed): Filling {
  const { block } = placed;
  const borne = filling.bearing === null ? null : bearingAfter(items, filling.bearing, block.leaves, placed);
  budget.steps += PLACING_STEPS + filling.surfaces.length;
  const left = filling.left.slice();
  for (let at = 0; at < block.items.length; at += 1) left[block.items[at]!]! -= block.counts[at]!;
  return {
    surfaces: surfacesAfter(filling.surfaces, block, placed, room.height, borne?.isFull),
    left,
    weightG: filling.weightG + block.weightG,
    moment: filling.moment + block.weightG * (placed.y + (block.dy - room.width) / 2),
    volume: filling.volume + block.volume,
    trail: { placed, before: filling.trail },
    placed: filling.placed + 1,
    blocks: filling.blocks,
    bearing: borne === null ? null : borne.bearing,
    stageAt: filling.stageAt,
  };
}

/** Takes the best move until there is none. */
export function fillGreedily(context: PackingContext, start: Filling): Filling {
  let filling = start;
  while (true) {
    const { filling: tidied, moves } = movesFrom(context, filling, 1);
    if (moves.length === 0) return tidied;
    filling = place(context, tidied, moves[0]!);
  }
}

/** In the order in which they were placed. */
export function stacksOf({ trail }: Filling): readonly Stack[] {
  const placed: Placed[] = [];
  for (let step = trail; step !== null; step = step.before) placed.push(step.placed);
  return placed.toReversed().flatMap(({ block, x, y, z }) =>
    block.leaves.map(({ isTop: _, ...leaf }) => ({
      ...leaf,
      x: x + leaf.x,
      y: y + leaf.y,
      z: z + leaf.z,
    })),
  );
}
