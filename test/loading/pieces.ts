/** Single pieces, and what is wrong with how they lie: written apart from the packing, from what must hold. */
import type { Item, Room, Stack } from "../../src/products/loading/planning/packing/item.ts";
import type { Filled } from "../../src/products/loading/planning/packing/search.ts";

export type Piece = {
  readonly item: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
  /** Of a cylinder: whether its axis is upright. */
  readonly round?: "upright" | "lying";
};

export function piecesIn(stacks: readonly Stack[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { item, pose, nx, ny, nz, x, y, z } of stacks) {
    for (let ix = 0; ix < nx; ix += 1) {
      for (let iy = 0; iy < ny; iy += 1) {
        for (let iz = 0; iz < nz; iz += 1) {
          pieces.push({ item, x: x + ix * pose.dx, y: y + iy * pose.dy, z: z + iz * pose.dz, ...pose });
        }
      }
    }
  }
  return pieces;
}

const radiusOf = (one: Piece) => one.dx / 2;

/** From axis to axis of upright cylinders, seen from above. */
function apart(a: Piece, b: Piece): number {
  return Math.hypot(a.x + a.dx / 2 - b.x - b.dx / 2, a.y + a.dy / 2 - b.y - b.dy / 2);
}

/** The area that two pieces share, seen from above, by the blocks around them; none of upright cylinders that are apart. */
function shared(a: Piece, b: Piece): number {
  const areUpright = a.round === "upright" && b.round === "upright";
  if (areUpright && apart(a, b) >= radiusOf(a) + radiusOf(b)) return 0;
  const dx = Math.min(a.x + a.dx, b.x + b.dx) - Math.max(a.x, b.x);
  const dy = Math.min(a.y + a.dy, b.y + b.dy) - Math.max(a.y, b.y);
  return dx > 0 && dy > 0 ? dx * dy : 0;
}

/** What a line asks for, in the units of `weight`. Infinity: no limit. */
export type Asked = {
  readonly weight: number;
  readonly maxLoad: number;
  readonly layersMax: number;
  readonly stop: number;
};

/** What is on each piece: its own sum of what lies on it by shares of bases, and the most pieces in a pile. */
function borneBy(pieces: readonly Piece[], asked: (item: number) => Asked) {
  const load = new Map<Piece, number>(pieces.map((piece) => [piece, 0]));
  const piled = new Map<Piece, number>(pieces.map((piece) => [piece, 1]));
  // What stands highest passes its weight on first.
  for (const one of pieces.toSorted((a, b) => b.z - a.z)) {
    const pressing = asked(one.item).weight + load.get(one)!;
    for (const under of pieces) {
      if (under.z + under.dz !== one.z) continue;
      const area = shared(one, under);
      if (area === 0) continue;
      load.set(under, load.get(under)! + (pressing * area) / (one.dx * one.dy));
      piled.set(under, Math.max(piled.get(under)!, piled.get(one)! + 1));
    }
  }
  return { load, piled };
}

/** All limits of lines that are broken: what lies on a piece, how high it is piled, and what is in its way out. */
export function brokenLimits(pieces: readonly Piece[], asked: (item: number) => Asked): readonly string[] {
  const errors: string[] = [];
  const { load, piled } = borneBy(pieces, asked);
  for (const [at, one] of pieces.entries()) {
    const { maxLoad, layersMax, stop } = asked(one.item);
    const name = `piece ${at} of item ${one.item}`;
    if (load.get(one)! > maxLoad + 1e-5) errors.push(`${name} bears ${load.get(one)} of ${maxLoad}`);
    if (piled.get(one)! > layersMax) errors.push(`${name} is in ${piled.get(one)} layers of ${layersMax}`);
    for (const [other, two] of pieces.entries()) {
      if (asked(two.item).stop <= stop) continue;
      if (two.z >= one.z + one.dz && shared(one, two) > 0) errors.push(`${name} lies under later ${other}`);
      const across = Math.min(one.y + one.dy, two.y + two.dy) - Math.max(one.y, two.y);
      const up = Math.min(one.z + one.dz, two.z + two.dz) - Math.max(one.z, two.z);
      if (two.x >= one.x + one.dx && across > 0 && up > 0) errors.push(`later ${other} bars ${name}`);
    }
  }
  return errors;
}

/** A cylinder whose whole base is on that of another. */
function isWithin(one: Piece, two: Piece): boolean {
  if (one.round !== "upright" || two.round !== "upright") return false;
  return apart(one, two) + radiusOf(one) <= radiusOf(two);
}

/** All that is wrong with pieces in a room; `mayBear` says whether something may lie on one. */
export function errorsOfPieces(
  pieces: readonly Piece[],
  room: Pick<Room, "length" | "width" | "height">,
  mayBear: (item: number) => boolean,
): readonly string[] {
  const errors: string[] = [];
  for (const [at, one] of pieces.entries()) {
    const name = `piece ${at} of item ${one.item}`;
    if (one.x < 0 || one.y < 0 || one.z < 0) errors.push(`${name} is outside`);
    if (one.x + one.dx > room.length || one.y + one.dy > room.width || one.z + one.dz > room.height) {
      errors.push(`${name} stands out`);
    }
    let borne = one.z === 0 ? one.dx * one.dy : 0;
    for (const [other, two] of pieces.entries()) {
      const area = other === at ? 0 : shared(one, two);
      if (area === 0) continue;
      if (other > at && one.z < two.z + two.dz && two.z < one.z + one.dz) {
        errors.push(`${name} overlaps piece ${other}`);
      }
      if (one.z > 0 && two.z + two.dz === one.z) borne += area;
      if (two.round !== undefined && two.z + two.dz === one.z && !isWithin(one, two))
        errors.push(`${name} stands on the round piece ${other}`);
      if (one.z > two.z && !mayBear(two.item))
        errors.push(`${name} is above piece ${other}, which bears nothing`);
    }
    if (borne !== one.dx * one.dy) errors.push(`${name} hangs over`);
  }
  return errors;
}

/** All that is wrong with a filling. */
export function errorsOf(items: readonly Item[], room: Room, filled: Filled): readonly string[] {
  const pieces = piecesIn(filled.stacks);
  const errors = [
    ...errorsOfPieces(pieces, room, (item) => items[item]!.stackable),
    ...brokenLimits(pieces, (item) => {
      const { weightG, maxLoadG, layersMax, stop } = items[item]!;
      // The packing counts to a thousandth of a gram.
      return { weight: weightG / 1_000, maxLoad: maxLoadG / 1_000, layersMax, stop };
    }),
  ];
  for (const [index, item] of items.entries()) {
    const aboard = pieces.filter((piece) => piece.item === index);
    if (aboard.length + filled.left[index]! !== item.count) errors.push(`item ${index} does not add up`);
    for (const { dx, dy, dz, round } of aboard) {
      if (!item.poses.some((one) => one.dx === dx && one.dy === dy && one.dz === dz && one.round === round)) {
        errors.push(`item ${index} lies in no pose of its own`);
      }
    }
  }
  const weight = pieces.reduce((sum, { item }) => sum + items[item]!.weightG, 0);
  if (weight !== filled.weightG || weight > room.payloadG) errors.push(`the weight is ${weight}`);
  const volume = pieces.reduce((sum, { dx, dy, dz }) => sum + dx * dy * dz, 0);
  if (volume !== filled.volume) errors.push(`the volume is ${volume}`);
  return errors;
}
