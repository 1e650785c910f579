/** Test problems as the packing takes them: a box stands on any side that the problem lets it, and is weightless. */
import type { Item, Pose, Room } from "../../src/products/loading/planning/packing/item.ts";
import { CONTAINER, type Instance } from "./instances.ts";

export const ROOM: Room = { ...CONTAINER, payloadG: Number.MAX_SAFE_INTEGER };

export function itemsOf({ boxes }: Instance): readonly Item[] {
  return boxes.map(({ dimensions, upright, count }) => ({
    count,
    weightG: 0,
    stackable: true,
    maxLoadG: Infinity,
    layersMax: Infinity,
    stop: 1,
    poses: posesOf(dimensions, upright),
  }));
}

function posesOf(dimensions: readonly number[], upright: readonly boolean[]): readonly Pose[] {
  const poses = new Map<string, Pose>();
  dimensions.forEach((dz, up) => {
    if (!upright[up]) return;
    const [one, other] = dimensions.filter((_, axis) => axis !== up);
    for (const [dx, dy] of [[one!, other!] as const, [other!, one!] as const]) {
      if (dx <= ROOM.length && dy <= ROOM.width && dz <= ROOM.height)
        poses.set(`${dx},${dy},${dz}`, { dx, dy, dz });
    }
  });
  return [...poses.values()];
}
