/** The cargo and the containers of a request, in whole millimetres and grams. */
import type { ContainerType } from "./container-types.ts";
import type { Item, Pose } from "../planning/packing/item.ts";

/** Which edge of a piece stands upright. */
export type Edge = "length" | "width" | "height";

export type CargoLine = {
  /** Unique within the request. */
  readonly id: string;
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
};

/** As shares of the inner length and width. */
export type OffCentre = { readonly length: number; readonly width: number };

export const EDGES: readonly Edge[] = ["length", "width", "height"];

/** The poses in which a piece fits the container and its door. */
export function posesOf(line: CargoLine, type: ContainerType): readonly Pose[] {
  const extent = { length: line.lengthMm, width: line.widthMm, height: line.heightMm };
  const poses = new Map<string, Pose>();
  for (const up of line.upright) {
    const [along, across] = EDGES.filter((edge) => edge !== up).map((edge) => extent[edge]);
    const straight = { dx: along!, dy: across!, dz: extent[up] };
    const turned = { ...straight, dx: across!, dy: along! };
    for (const pose of line.turnable ? [straight, turned] : [straight]) {
      if (fits(pose, type)) poses.set(`${pose.dx},${pose.dy},${pose.dz}`, pose);
    }
  }
  return [...poses.values()];
}

function fits({ dx, dy, dz }: Pose, type: ContainerType): boolean {
  if (dx > type.lengthMm || dy > type.widthMm || dz > type.heightMm) return false;
  return dz <= type.doorHeightMm && Math.min(dx, dy) <= type.doorWidthMm;
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

/** In cubic millimetres, of a piece or of the inside of a container. */
export function volumeOf({
  lengthMm,
  widthMm,
  heightMm,
}: Pick<CargoLine, "lengthMm" | "widthMm" | "heightMm">): number {
  return lengthMm * widthMm * heightMm;
}
