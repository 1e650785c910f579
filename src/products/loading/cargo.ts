/** What is to be loaded and into what, as a request that has been read: whole millimetres and grams. */
import type { ContainerType } from "./container-types.ts";
import type { Item, Pose } from "./packing/item.ts";

/** Which edge of a piece stands upright. */
export type Edge = "length" | "width" | "height";

export type CargoLine = {
  /** Of the client; no two lines have the same. */
  readonly id: string;
  readonly lengthMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Of one piece. */
  readonly weightG: number;
  readonly count: number;
  readonly stackable: boolean;
  /** At least one. */
  readonly upright: readonly Edge[];
  /** May be turned about the vertical; otherwise the first of length and width that lies, lies along the container. */
  readonly turnable: boolean;
};

export type ContainerChoice = {
  readonly type: ContainerType;
  /** Null: as many as are needed. */
  readonly count: number | null;
  /** Of one, in any unit; of all choices, or of none. */
  readonly cost: number | null;
};

export type LoadRequest = {
  readonly name: string | null;
  readonly cargo: readonly CargoLine[];
  readonly containers: readonly ContainerChoice[];
};

export const EDGES: readonly Edge[] = ["length", "width", "height"];

/** The ways in which a piece of the line may lie in a container, and can be brought in through its door. */
export function posesOf(line: CargoLine, type: ContainerType): readonly Pose[] {
  const extent = { length: line.lengthMm, width: line.widthMm, height: line.heightMm };
  const poses = new Map<string, Pose>();
  for (const up of line.upright) {
    const [along, across] = EDGES.filter((edge) => edge !== up).map((edge) => extent[edge]);
    const ways = line.turnable
      ? [[along!, across!] as const, [across!, along!] as const]
      : [[along!, across!] as const];
    for (const [dx, dy] of ways) {
      const pose = { dx, dy, dz: extent[up] };
      if (fits(pose, type)) poses.set(`${dx},${dy},${pose.dz}`, pose);
    }
  }
  return [...poses.values()];
}

function fits({ dx, dy, dz }: Pose, type: ContainerType): boolean {
  if (dx > type.lengthMm || dy > type.widthMm || dz > type.heightMm) return false;
  return dz <= type.doorHeightMm && Math.min(dx, dy) <= type.doorWidthMm;
}

/** The lines as items for one container; those that do not fit, or are too heavy, have no pose. */
export function itemsFor(lines: readonly CargoLine[], type: ContainerType): readonly Item[] {
  return lines.map((line) => ({
    count: line.count,
    weightG: line.weightG,
    stackable: line.stackable,
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
