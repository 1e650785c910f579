/** What is packed: whole millimetres and grams, and indices instead of names. */

/** How a piece lies: its extents along the container's length, width and height. */
export type Pose = {
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
  /**
   * Of a cylinder: whether its axis is upright. On an upright one stand only like ones, exactly above; on a lying one
   * lies nothing.
   */
  readonly round?: "upright" | "lying";
  /**
   * Of a piece that stands out of an open container, whose `dy` and `dz` are the part inside: how far beyond either
   * side and above the roof. It stands on the floor.
   */
  readonly out?: { readonly left: number; readonly right: number; readonly top: number };
};

/** A cylinder fills so much of the block around it. */
export const ROUND_SHARE = Math.PI / 4;

/** The extents of the whole piece. */
export function wholeOf({ dx, dy, dz, out }: Pose): Pick<Pose, "dx" | "dy" | "dz"> {
  return out === undefined ? { dx, dy, dz } : { dx, dy: out.left + dy + out.right, dz: dz + out.top };
}

/** Like pieces. */
export type Item = {
  readonly count: number;
  /** Of one piece. */
  readonly weightG: number;
  /** False: nothing may stand on it. */
  readonly stackable: boolean;
  /** The most that may lie on a piece, with all that lies on that. Infinity: no limit. */
  readonly maxLoadG: number;
  /** The most layers from a piece up, itself included. Infinity: no limit. */
  readonly layersMax: number;
  /** Where a piece is unloaded: 1 first. A later one may neither lie on an earlier one nor bar its way to the door. */
  readonly stop: number;
  /** In this container, each once; none if it does not fit. */
  readonly poses: readonly Pose[];
};

/** The inside of a container, from the front wall (x = 0) to the door. */
export type Room = {
  readonly length: number;
  readonly width: number;
  readonly height: number;
  readonly payloadG: number;
};

/** Pieces of one item in one pose, side by side and on top of each other. */
export type Stack = {
  readonly item: number;
  readonly pose: Pose;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  /** The corner nearest to the front wall, the wall at y = 0 and the floor. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
};

export function piecesOf({ nx, ny, nz }: Pick<Stack, "nx" | "ny" | "nz">): number {
  return nx * ny * nz;
}
