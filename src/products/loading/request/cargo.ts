/** The cargo and the containers of a request, in whole millimetres and grams. */
import type { ContainerType } from "./container-types.ts";
import type { Pallet } from "./pallet-types.ts";
import { ROUND_SHARE, type Item, type Pose } from "../planning/packing/item.ts";

/** Which edge of a piece stands upright. */
export type Edge = "length" | "width" | "height";

export const SHAPES = ["box", "cylinder"] as const;

export type CargoLine = {
  /** Unique within the request. */
  readonly id: string;
  /** A cylinder is as long and as wide as its diameter, and its axis is along its height. */
  readonly shape: (typeof SHAPES)[number];
  readonly lengthMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Of one piece. */
  readonly weightG: number;
  readonly count: number;
  readonly stackable: boolean;
  /** The most that may lie on one piece, with all that lies on that. Null: no limit. */
  readonly maxLoadG: number | null;
  /** The most layers from one piece up, itself included. Null: no limit. */
  readonly layersMax: number | null;
  /** Where it is unloaded: 1 first. */
  readonly stop: number;
  /** Edges that may stand upright, at least one. */
  readonly upright: readonly Edge[];
  /** May be turned about the vertical; if not, the first of its edges that lie goes along the container. */
  readonly turnable: boolean;
  /** It goes onto a pallet first. */
  readonly palletised: boolean;
};

export type ContainerChoice = {
  readonly type: ContainerType;
  /** Null: as many as needed. */
  readonly count: number | null;
  /** Of one container, in any unit; given for all choices or for none. */
  readonly cost: number | null;
};

export type LoadRequest = {
  readonly name: string | null;
  readonly cargo: readonly CargoLine[];
  readonly containers: readonly ContainerChoice[];
  /** How far the cargo's centre of gravity may be off the middle. Null: any distance. */
  readonly offCentreMax: OffCentre | null;
  /** That carries each container on the road. Null: not known. */
  readonly vehicle: Vehicle | null;
  /** Of palletised pieces. Null: there are none. */
  readonly pallet: Pallet | null;
};

/**
 * A lorry of two groups of axles, or with a kingpin a tractor of two and a trailer of one. Positions are in millimetres
 * behind the front wall of the container, negative before it.
 */
export type Vehicle = { readonly kingpinMm: number | null; readonly axleGroups: readonly AxleGroup[] };

export type AxleGroup = {
  readonly name: string;
  readonly positionMm: number;
  /** Without a container. */
  readonly tareG: number;
  readonly maxG: number;
};

/** As shares of the inner length and width. */
export type OffCentre = { readonly length: number; readonly width: number };

export const EDGES: readonly Edge[] = ["length", "width", "height"];

/**
 * The poses in which a piece fits the container and its door. What is too high or too wide in all of them stands out of
 * an open container, as little as it can.
 */
export function posesOf(line: CargoLine, type: ContainerType): readonly Pose[] {
  const ways = waysOf(line);
  const inside = ways.filter((pose) => fits(pose, type));
  if (inside.length > 0 || type.open.length === 0) return inside;
  const outside = ways.flatMap((pose) => standingOut(pose, type) ?? []);
  const least = Math.min(...outside.map(beyond));
  return outside.filter((pose) => beyond(pose) === least);
}

/** Through no door, though it would fit inside. */
export function isKeptOutByDoor(line: CargoLine, type: ContainerType): boolean {
  return posesOf(line, type).length === 0 && waysOf(line).some((pose) => isInside(pose, type));
}

function waysOf(line: CargoLine): readonly Pose[] {
  const extent = { length: line.lengthMm, width: line.widthMm, height: line.heightMm };
  const poses = new Map<string, Pose>();
  for (const up of line.upright) {
    const [along, across] = EDGES.filter((edge) => edge !== up).map((edge) => extent[edge]);
    const round = line.shape === "box" ? {} : roundOf(up);
    const straight: Pose = { dx: along!, dy: across!, dz: extent[up], ...round };
    const turned = { ...straight, dx: across!, dy: along! };
    for (const pose of line.turnable ? [straight, turned] : [straight]) {
      poses.set(`${pose.dx},${pose.dy},${pose.dz}`, pose);
    }
  }
  return [...poses.values()];
}

/** One as high as it is wide stands, since its last edge is its height. */
function roundOf(up: Edge): Pick<Pose, "round"> {
  return { round: up === "height" ? "upright" : "lying" };
}

function isInside({ dx, dy, dz }: Pose, type: ContainerType): boolean {
  return dx <= type.lengthMm && dy <= type.widthMm && dz <= type.heightMm;
}

/** Through an open roof, or from an open side, cargo comes in without a door. */
function fits(pose: Pose, type: ContainerType): boolean {
  if (!isInside(pose, type)) return false;
  if (type.open.length > 0) return true;
  return pose.dz <= type.doorHeightMm && Math.min(pose.dx, pose.dy) <= type.doorWidthMm;
}

/** In the middle of the width. Null: further than the container allows. */
function standingOut(pose: Pose, type: ContainerType): Pose | null {
  const { dx, dy, dz } = pose;
  const wide = Math.max(0, dy - type.widthMm);
  const left = Math.floor(wide / 2);
  const right = wide - left;
  const top = Math.max(0, dz - type.heightMm);
  const sideMax = type.open.includes("sides") ? (type.overWidthMaxMm ?? Infinity) : 0;
  const topMax = type.open.includes("roof") ? (type.overHeightMaxMm ?? Infinity) : 0;
  if (dx > type.lengthMm || right > sideMax || top > topMax) return null;
  return { ...pose, dy: dy - wide, dz: dz - top, out: { left, right, top } };
}

function beyond({ out }: Pose): number {
  return out === undefined ? 0 : out.left + out.right + out.top;
}

/** The lines as items for one container; a line that does not fit or is too heavy has no pose. */
export function itemsFor(lines: readonly CargoLine[], type: ContainerType): readonly Item[] {
  return lines.map((line) => ({
    count: line.count,
    weightG: line.weightG,
    stackable: line.stackable,
    maxLoadG: line.maxLoadG ?? Infinity,
    layersMax: line.layersMax ?? Infinity,
    stop: line.stop,
    poses: line.weightG > type.payloadG ? [] : posesOf(line, type),
  }));
}

/** Of a piece itself: cylinders in staggered rows take less than the blocks around them. */
export function leastVolumeOf(line: CargoLine): number {
  return volumeOf(line) * (line.shape === "cylinder" ? ROUND_SHARE : 1);
}

/** In cubic millimetres, of a piece or of the inside of a container. */
export function volumeOf({
  lengthMm,
  widthMm,
  heightMm,
}: Pick<CargoLine, "lengthMm" | "widthMm" | "heightMm">): number {
  return lengthMm * widthMm * heightMm;
}
