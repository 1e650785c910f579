/**
 * Upright cylinders in staggered rows: every other row is moved by half a diameter and stands in the gaps of the row
 * before. The blocks around the pieces overlap, and the pieces do not.
 *
 *     O O O O     rows of n, or of n and n - 1 in turn,
 *      O O O      across the container or along it
 *     O O O O
 */
import { highestStack } from "./bearing.ts";
import type { Block, Leaf } from "./block.ts";
import type { Item, Pose, Room } from "./item.ts";

/** Different lengths of rows, numbers of rows and layers that are tried. */
const LENGTHS_MAX = 5;
const ROWS_MAX = 12;
/** Of one block; thin rods take further blocks. */
const DEPTH_MAX = 60;
const LAYERS_MAX = 3;

/** At most `quota` of a cylinder that stands, half of them with rows along the container. */
export function staggeredBlocks(
  item: Item,
  index: number,
  pose: Pose,
  room: Room,
  quota: number,
): readonly Block[] {
  const most = Math.min(item.count, item.weightG === 0 ? item.count : room.payloadG / item.weightG);
  const high = Math.min(highestStack(item), Math.floor(room.height / pose.dz));
  return [false, true].flatMap((isAlong) => {
    const found: Block[] = [];
    for (const pattern of patternsIn(pose, room, { high, isAlong, quota })) {
      if (found.length >= quota / 2) break;
      if ((pattern.inRow - 1) * pattern.rows * pattern.layers >= most) continue;
      const block = staggered(item, index, pose, pattern);
      const { dx, dy, counts } = block;
      if (counts[0]! <= most && dx <= room.length && dy <= room.width) found.push(block);
    }
    return found;
  });
}

/** The longest rows first, and then the most of them. */
function patternsIn(
  { dx }: Pose,
  room: Room,
  { high, isAlong, quota }: { readonly high: number; readonly isAlong: boolean; readonly quota: number },
): readonly Pattern[] {
  const [space, depth] = isAlong ? [room.length, room.width] : [room.width, room.length];
  const longest = Math.floor(space / dx);
  const deepest = Math.min(DEPTH_MAX, 1 + Math.floor((depth - dx) / pitchOf(dx)));
  return largest(longest, Math.min(quota, LENGTHS_MAX))
    .filter((inRow) => inRow > 1)
    .flatMap((inRow) =>
      largest(deepest, Math.min(quota, ROWS_MAX))
        .filter((rows) => rows > 1)
        .flatMap((rows) =>
          largest(high, Math.min(quota, LAYERS_MAX)).flatMap((layers) =>
            [true, false].map((isEven) => ({ inRow, rows, layers, isEven, isAlong })),
          ),
        ),
    );
}

/** `n` and those below it, at most `some`; of more, they thin out. */
function largest(n: number, some: number): readonly number[] {
  const steps = Math.max(1, Math.min(n, some));
  return [...new Set(Array.from({ length: steps }, (_, at) => Math.ceil((n * (steps - at)) / steps)))];
}

/** From row to row: pieces that are half a diameter apart along the rows just do not touch, in whole millimetres. */
function pitchOf(diameter: number): number {
  return Math.ceil(Math.sqrt(diameter ** 2 - Math.floor(diameter / 2) ** 2));
}

type Pattern = {
  readonly inRow: number;
  readonly rows: number;
  readonly layers: number;
  /** All rows have as many pieces; if not, every other row has one less. */
  readonly isEven: boolean;
  /** The rows lie along the container. */
  readonly isAlong: boolean;
};

function staggered(item: Item, index: number, pose: Pose, pattern: Pattern): Block {
  const { inRow, rows, layers, isEven, isAlong } = pattern;
  const half = Math.ceil(pose.dx / 2);
  const leaves = Array.from({ length: rows }, (_, row): Leaf => {
    const isMoved = row % 2 === 1;
    const pieces = isMoved && !isEven ? inRow - 1 : inRow;
    const [beside, ahead] = [isMoved ? half : 0, row * pitchOf(pose.dx)];
    const place = isAlong ? { x: beside, y: ahead } : { x: ahead, y: beside };
    const grid = isAlong ? { nx: pieces, ny: 1 } : { nx: 1, ny: pieces };
    return { item: index, pose, ...grid, nz: layers, ...place, z: 0, isTop: false };
  });
  const long = Math.max(...leaves.map(({ nx, ny, x, y }) => (isAlong ? x : y) + nx * ny * pose.dx));
  const deep = (rows - 1) * pitchOf(pose.dx) + pose.dx;
  const pieces = leaves.reduce((sum, { nx, ny, nz }) => sum + nx * ny * nz, 0);
  return {
    dx: isAlong ? long : deep,
    dy: isAlong ? deep : long,
    dz: layers * pose.dz,
    volume: pieces * pose.dx * pose.dy * pose.dz,
    weightG: pieces * item.weightG,
    items: [index],
    counts: [pieces],
    leaves,
    flat: false,
    stop: item.stop,
    layers,
    isOnFloor: false,
  };
}
