/** The order of loading: stop after stop, what is unloaded last first, and where the pieces of a stop may stand. */
import type { Block } from "./block.ts";
import type { Room } from "./item.ts";

/** Where some pieces of one stop are placed for a time; what finds no place goes on to a later stage. */
export type Zone = {
  /** Null: all pieces of the stop. */
  readonly items: ReadonlySet<number> | null;
  readonly y0: number;
  readonly y1: number;
  readonly z1: number;
};

/** The zones of each stop, tried in turn; a stop that has none may stand anywhere. */
export type Zoning = ReadonlyMap<number, readonly Zone[]>;

export const ANYWHERE: Zoning = new Map();

export type Stage = { readonly blocks: readonly Block[]; readonly zone: Zone };

/** Each stop ends with a stage anywhere in the room. */
export function stagesOf(
  blocks: readonly Block[],
  { width, height }: Room,
  zoning: Zoning,
): readonly Stage[] {
  const anywhere = { items: null, y0: 0, y1: width, z1: height };
  return [...Map.groupBy(blocks, ({ stop }) => stop)]
    .toSorted(([a], [b]) => b - a)
    .flatMap(([stop, all]) =>
      [...(zoning.get(stop) ?? []), anywhere].map((zone) => ({ blocks: blocksOf(all, zone), zone })),
    );
}

function blocksOf(blocks: readonly Block[], { items }: Zone): readonly Block[] {
  return items === null ? blocks : blocks.filter((block) => block.items.every((one) => items.has(one)));
}
