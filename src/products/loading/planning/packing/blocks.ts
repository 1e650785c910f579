/**
 * What goes into a container in one step: a stack of like pieces, or two blocks beside or above each other that leave
 * almost no gap (general blocks, after Fanslau and Bortfeldt 2010).
 */
import { highestStack } from "./bearing.ts";
import type { Block } from "./block.ts";
import type { Item, Pose, Room } from "./item.ts";
import { staggeredBlocks } from "./staggered.ts";

export const BLOCKS_MAX = 6_000;

/** Of cylinders, beside the others. */
const STAGGERED_MAX = 3_000;

/** Stacks that are tried in pairs, whose number grows with the square. */
const JOINED_MAX = 1_500;

/** Of the search steps, for joining. */
const JOINING_SHARE = 0.1;

/** Search steps that making and sorting one block counts as. */
const MAKING_STEPS = 50;

/** Different numbers of pieces along one axis. */
const COUNTS_PER_AXIS_MAX = 24;

/** The share of a joined block's bounding box that its pieces take. */
const FILL_MIN = 0.98;

const LEAVES_MAX = 4;

/** The blocks that fit, the largest first; each piece that fits is a block, too. Counts its steps in `budget`. */
export function blocksFor(
  items: readonly Item[],
  room: Room,
  stepsMax: number,
  budget: { steps: number },
): readonly Block[] {
  const poses = items.reduce((sum, { count, poses: all }) => sum + (count > 0 ? all.length : 0), 0);
  const quota = Math.max(1, Math.floor((BLOCKS_MAX * STACKS_SHARE) / Math.max(1, poses)));
  const stacks = items.flatMap((item, index) =>
    item.poses.flatMap((pose) => stacksOf(item, index, pose, room, quota)),
  );
  const joinable = Math.min(JOINED_MAX, Math.floor(Math.sqrt(Math.max(0, stepsMax) * JOINING_SHARE)));
  const parts = bySize(stacks).slice(0, joinable);
  const joined = joinedBlocks(parts, items, room, BLOCKS_MAX - stacks.length);
  const staggered = allStaggered(items, room);
  budget.steps += parts.length ** 2 + MAKING_STEPS * (stacks.length + joined.length + staggered.length);
  return bySize([...stacks, ...joined, ...staggered]);
}

const STACKS_SHARE = 2 / 3;

function allStaggered(items: readonly Item[], room: Room): readonly Block[] {
  const round = items.flatMap((item, index) =>
    item.count === 0 ? [] : item.poses.filter(isStanding).map((pose) => ({ item, index, pose })),
  );
  const quota = Math.max(2, Math.floor(STAGGERED_MAX / Math.max(1, round.length)));
  return round
    .slice(0, STAGGERED_MAX)
    .flatMap(({ item, index, pose }) => staggeredBlocks(item, index, pose, room, quota));
}

function isStanding({ round, out }: Pose): boolean {
  return round === "upright" && out === undefined;
}

function bySize(blocks: readonly Block[]): readonly Block[] {
  return blocks.toSorted(
    (a, b) => b.volume - a.volume || a.dx - b.dx || a.dy - b.dy || (a.items[0] ?? 0) - (b.items[0] ?? 0),
  );
}

function stacksOf(item: Item, index: number, pose: Pose, room: Room, quota: number): readonly Block[] {
  const { count, weightG } = item;
  const most = Math.min(count, weightG === 0 ? count : Math.floor(room.payloadG / weightG));
  if (most === 0) return [];
  const along = (space: number, extent: number) => Math.min(most, Math.floor(space / extent));
  const isPiled = pose.out === undefined && pose.round !== "lying";
  const high = isPiled ? Math.min(highestStack(item), along(room.height, pose.dz)) : 1;
  const wide = [along(room.length, pose.dx), along(room.width, pose.dy), high];
  const sizes = (steps: number) => {
    const [xs = [], ys = [], zs = []] = wide.map((n) => sampleCounts(n, steps));
    return feasibleCounts(xs, ys, zs, most);
  };
  // More counts than the quota exceed it along one axis alone.
  let steps = Math.min(COUNTS_PER_AXIS_MAX, quota, Math.max(...wide));
  let found = sizes(steps);
  while (found.length > quota && steps > 1) {
    steps = Math.max(1, Math.floor(steps * 0.7));
    found = sizes(steps);
  }
  return found.map(([nx, ny, nz]) => stack(item, index, pose, nx, ny, nz));
}

/** 1 to `n`, or `steps` of them that thin out towards `n`, always with 1. */
function sampleCounts(n: number, steps: number): readonly number[] {
  if (n === 0) return [];
  if (steps >= n) return Array.from({ length: n }, (_, index) => index + 1);
  const some = new Set([1]);
  for (let step = 1; step < steps; step += 1) some.add(Math.max(1, Math.round(n ** (step / (steps - 1)))));
  return [...some];
}

function feasibleCounts(
  xs: readonly number[],
  ys: readonly number[],
  zs: readonly number[],
  most: number,
): readonly (readonly [number, number, number])[] {
  const found: (readonly [number, number, number])[] = [];
  for (const nx of xs) {
    for (const ny of ys) {
      if (nx * ny > most) break;
      for (const nz of zs) {
        if (nx * ny * nz > most) break;
        found.push([nx, ny, nz]);
      }
    }
  }
  return found;
}

function stack(item: Item, index: number, pose: Pose, nx: number, ny: number, nz: number): Block {
  const pieces = nx * ny * nz;
  const { dx, dy, dz } = pose;
  const isTop = item.stackable && nz < item.layersMax && pose.round === undefined;
  const leaf = { item: index, pose, nx, ny, nz, x: 0, y: 0, z: 0, isTop };
  return {
    dx: dx * nx,
    dy: dy * ny,
    dz: dz * nz,
    volume: pieces * dx * dy * dz,
    weightG: pieces * item.weightG,
    items: [index],
    counts: [pieces],
    leaves: [leaf],
    flat: isTop,
    stop: item.stop,
    layers: nz,
    isOnFloor: pose.out !== undefined,
  };
}

function joinedBlocks(
  stacks: readonly Block[],
  items: readonly Item[],
  room: Room,
  blocksMax: number,
): readonly Block[] {
  const made = new Map<string, Block>();
  for (const a of stacks) {
    for (const b of stacks) {
      if (made.size >= blocksMax) return [...made.values()];
      if (a.weightG + b.weightG > room.payloadG || a.stop !== b.stop) continue;
      for (const axis of AXES) {
        if (!canJoin(a, b, axis, room)) continue;
        if (axis === "z" && isLimited(a, items)) continue;
        const counts = sumOf(a, b);
        if (!counts.items.every((item, at) => counts.counts[at]! <= items[item]!.count)) continue;
        const block = join(a, b, axis, counts);
        const key = `${block.dx},${block.dy},${block.dz},${block.volume},${counts.items.join(".")},${counts.counts.join(".")}`;
        const known = made.get(key);
        if (known === undefined || (!known.flat && block.flat)) made.set(key, block);
      }
    }
  }
  return [...made.values()];
}

const AXES = ["x", "y", "z"] as const;
type Axis = (typeof AXES)[number];

/** Whether the two leave almost no gap. Two stacks of one item and pose would be one stack. */
function canJoin(a: Block, b: Block, axis: Axis, room: Room): boolean {
  if (a.leaves.length + b.leaves.length > LEAVES_MAX) return false;
  if (axis === "z" ? !a.flat || b.isOnFloor || b.dx > a.dx || b.dy > a.dy : a.volume < b.volume) return false;
  const dx = axis === "x" ? a.dx + b.dx : Math.max(a.dx, b.dx);
  const dy = axis === "y" ? a.dy + b.dy : Math.max(a.dy, b.dy);
  const dz = axis === "z" ? a.dz + b.dz : Math.max(a.dz, b.dz);
  if (dx > room.length || dy > room.width || dz > room.height) return false;
  if (a.volume + b.volume < FILL_MIN * dx * dy * dz) return false;
  return a.items[0] !== b.items[0] || !samePose(a.leaves[0]!.pose, b.leaves[0]!.pose);
}

/** What its pieces bear depends on where they stand, so others are placed on them one by one. */
function isLimited({ items: own }: Block, items: readonly Item[]): boolean {
  return own.some((item) => items[item]!.maxLoadG !== Infinity || items[item]!.layersMax !== Infinity);
}

function samePose(a: Pose, b: Pose): boolean {
  return a.dx === b.dx && a.dy === b.dy && a.dz === b.dz;
}

function sumOf(a: Block, b: Block): Pick<Block, "items" | "counts"> {
  const counts = new Map(a.items.map((item, at) => [item, a.counts[at]!]));
  b.items.forEach((item, at) => counts.set(item, (counts.get(item) ?? 0) + b.counts[at]!));
  return { items: [...counts.keys()], counts: [...counts.values()] };
}

function join(a: Block, b: Block, axis: Axis, counts: Pick<Block, "items" | "counts">): Block {
  const x = axis === "x" ? a.dx : 0;
  const y = axis === "y" ? a.dy : 0;
  const z = axis === "z" ? a.dz : 0;
  const below = axis === "z" ? a.leaves.map((leaf) => ({ ...leaf, isTop: false })) : a.leaves;
  const beside = b.leaves.map((leaf) => ({ ...leaf, x: leaf.x + x, y: leaf.y + y, z: leaf.z + z }));
  const dx = Math.max(a.dx, x + b.dx);
  const dy = Math.max(a.dy, y + b.dy);
  const dz = Math.max(a.dz, z + b.dz);
  const isWhole =
    (axis === "x" || a.dx === b.dx) && (axis === "y" || a.dy === b.dy) && (axis === "z" || a.dz === b.dz);
  return {
    dx,
    dy,
    dz,
    volume: a.volume + b.volume,
    weightG: a.weightG + b.weightG,
    ...counts,
    leaves: [...below, ...beside],
    flat: isWhole && b.flat && (axis === "z" || a.flat),
    stop: a.stop,
    layers: axis === "z" ? a.layers + b.layers : Math.max(a.layers, b.layers),
    isOnFloor: a.isOnFloor || b.isOnFloor,
  };
}
