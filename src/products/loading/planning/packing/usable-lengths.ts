/** How much of a length can be used: the largest sum of pieces' extents within it. */
import type { Item, Room } from "./item.ts";

/** `x[t]`, `y[t]`, `z[t]`: the most of `t` millimetres that extents along that axis can add up to. */
export type UsableLengths = { readonly x: Int32Array; readonly y: Int32Array; readonly z: Int32Array };

/** More different extents reach nearly every length, and the sums are not worth their cost. */
const EXTENTS_MAX = 200;

export function usableLengthsOf(items: readonly Item[], room: Room): UsableLengths {
  const poses = items.flatMap((item) => (item.count > 0 ? item.poses : []));
  const sums = (axis: "dx" | "dy" | "dz", length: number) =>
    subsetSums(
      poses.map((pose) => pose[axis]),
      length,
    );
  return { x: sums("dx", room.length), y: sums("dy", room.width), z: sums("dz", room.height) };
}

function subsetSums(all: readonly number[], length: number): Int32Array {
  const extents = [...new Set(all)].toSorted((a, b) => a - b);
  const most = new Int32Array(length + 1);
  const least = extents[0];
  if (least === undefined) return most;
  if (extents.length > EXTENTS_MAX) return most.map((_, t) => (t < least ? 0 : t));
  const isSum = new Uint8Array(length + 1);
  isSum[0] = 1;
  for (let t = 1; t <= length; t += 1) {
    for (const extent of extents) {
      if (extent > t) break;
      if (isSum[t - extent] === 1) {
        isSum[t] = 1;
        break;
      }
    }
    most[t] = isSum[t] === 1 ? t : most[t - 1]!;
  }
  return most;
}
