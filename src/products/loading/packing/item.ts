/** What the packing works with: whole millimetres and grams, and numbers instead of names. */

/** One way for a piece to lie: its extent along the container's length, its width and its height. */
export type Pose = { readonly dx: number; readonly dy: number; readonly dz: number };

/** Pieces that are all alike. */
export type Item = {
  readonly count: number;
  /** Of one piece. */
  readonly weightG: number;
  /** False: nothing may lie on it. */
  readonly stackable: boolean;
  /** In this container; none when it does not fit. No two are alike. */
  readonly poses: readonly Pose[];
};

/** The room inside a container, from the front wall (x = 0) to the door. */
export type Room = {
  readonly length: number;
  readonly width: number;
  readonly height: number;
  readonly payloadG: number;
};

/** Pieces of one item side by side and on top of each other, all in the same pose. */
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
