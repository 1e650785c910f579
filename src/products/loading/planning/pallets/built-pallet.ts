/** A pallet with what stands on it, as one piece of cargo, and where its parts are once it is loaded. */
import type { CargoLine, Edge } from "../../request/cargo.ts";
import { piecesOf, ROUND_SHARE, wholeOf, type Pose, type Stack } from "../packing/item.ts";

/** From the corner of the built pallet nearest to the front wall, the left wall and the floor. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
  /** Of a cylinder: the extent that its axis lies along. */
  readonly axis?: Edge;
};

export type BuiltPallet = {
  /** Like pallets, as a line of cargo. */
  readonly line: CargoLine;
  readonly deck: Box;
  /** Of the lines of the request, in the order of building. */
  readonly stacks: readonly Stack[];
};

export type PlacedBox = Box & { readonly item: number };

/** The pieces of stacks, each row from the lowest up. */
export function boxesOf(stacks: readonly Stack[]): readonly PlacedBox[] {
  return stacks.flatMap(({ item, pose, nx, ny, nz, x, y, z }) =>
    Array.from({ length: nx * ny * nz }, (_, at) => ({
      item,
      x: x + Math.floor(at / (ny * nz)) * pose.dx,
      y: y + (Math.floor(at / nz) % ny) * pose.dy - (pose.out?.left ?? 0),
      z: z + (at % nz) * pose.dz,
      ...wholeOf(pose),
      ...axisOf(pose),
    })),
  );
}

/** One that lies is as wide as it is high across its axis, and not along it, or it would stand. */
function axisOf(pose: Pose): Pick<Box, "axis"> {
  if (pose.round === undefined) return {};
  if (pose.round === "upright") return { axis: "height" };
  const { dy, dz } = wholeOf(pose);
  return { axis: dy === dz ? "length" : "width" };
}

/** Of a cylinder its own, not that of the block around it. */
export function volumeOfBox({ dx, dy, dz, axis }: Pick<Box, "dx" | "dy" | "dz" | "axis">): number {
  return dx * dy * dz * (axis === undefined ? 1 : ROUND_SHARE);
}

/** How many pieces of each line one pallet has. */
export function countsOn({ stacks }: BuiltPallet): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const stack of stacks) counts.set(stack.item, (counts.get(stack.item) ?? 0) + piecesOf(stack));
  return counts;
}

/** Its length lies across the container. */
export function isTurned({ line }: BuiltPallet, place: Box): boolean {
  return place.dx !== line.lengthMm;
}

/** Where a part of the pallet is in the container. A turn is a quarter to the left, seen from above. */
export function placedIn<T extends Box>(pallet: BuiltPallet, place: Box, part: T): T {
  const z = place.z + part.z;
  if (!isTurned(pallet, place)) return { ...part, x: place.x + part.x, y: place.y + part.y, z };
  const x = place.x + pallet.line.widthMm - part.y - part.dy;
  const axis = part.axis === undefined ? {} : { axis: TURNED[part.axis] };
  return { ...part, x, y: place.y + part.x, z, dx: part.dy, dy: part.dx, ...axis };
}

const TURNED: Readonly<Record<Edge, Edge>> = { length: "width", width: "length", height: "height" };
