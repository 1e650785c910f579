/**
 * What lies on pieces that bear only so much or so many layers. A piece passes its weight, with all that lies on it, to
 * what it stands on, by the share of its base on each. Only columns (pieces of one leaf on top of each other) that have
 * a limit, or stand on something that has one, are kept.
 *
 *     a block is to be placed ─▶ columns of its leaves ─▶ weights pass down ─▶ within all limits?
 */
import type { Item, Stack } from "./item.ts";

type Column = {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Of its upper side. */
  readonly z: number;
  /** Of the layers that may still lie on it, whatever it stands on included. */
  readonly layersMax: number;
  /** On its uppermost piece. */
  readonly loadMaxG: number;
  /** Columns with limits under it, and the share of its base on each. */
  readonly supports: readonly Support[];
};

type Support = { readonly column: number; readonly share: number };

export type Bearing = {
  readonly columns: readonly Column[];
  /** On each column now. */
  readonly loadsG: readonly number[];
};

/** Once there are more, nothing is placed on further ones, which only wastes room. */
const COLUMNS_MAX = 2_000;

/** Sums of shares are not exact; a thousandth of a gram. */
const ROUNDING_G = 1e-3;

export const NOTHING_BORNE: Bearing = { columns: [], loadsG: [] };

export function hasLimits(items: readonly Item[]): boolean {
  return items.some(({ maxLoadG, layersMax }) => maxLoadG !== Infinity || layersMax !== Infinity);
}

/** Pieces of an item that may stand on each other. */
export function highestStack({ maxLoadG, layersMax, weightG, stackable }: Item): number {
  if (!stackable) return 1;
  return Math.min(layersMax, weightG === 0 ? Infinity : 1 + Math.floor(maxLoadG / weightG));
}

type Place = { readonly x: number; readonly y: number; readonly z: number };
type Area = Pick<Column, "x0" | "y0" | "x1" | "y1">;

/** What a surface may take at most: a bound that is quick to compare blocks with. */
export function bearableOn(
  { columns, loadsG }: Bearing,
  surface: Area & { readonly z: number },
): { readonly weightG: number; readonly layers: number } {
  let weightG = 0;
  let layers = 0;
  let area = 0;
  for (const [at, column] of columns.entries()) {
    const shared = column.z === surface.z ? sharedArea(column, surface) : 0;
    if (shared === 0) continue;
    area += shared;
    weightG += column.loadMaxG - loadsG[at]!;
    layers = Math.max(layers, column.layersMax);
  }
  const isAllLimited = area >= (surface.x1 - surface.x0) * (surface.y1 - surface.y0);
  return isAllLimited ? { weightG: weightG + ROUNDING_G, layers } : { weightG: Infinity, layers: Infinity };
}

/** Null: something would bear too much. `isFull`: nothing may be placed on the block. */
export function bearingAfter(
  items: readonly Item[],
  before: Bearing,
  leaves: readonly Stack[],
  place: Place,
): { readonly bearing: Bearing; readonly isFull: boolean } | null {
  const columns = [...before.columns];
  const loadsG = [...before.loadsG];
  const added: number[] = before.loadsG.map(() => 0);
  const isFull = columns.length + basesIn(leaves) > COLUMNS_MAX;
  for (const leaf of leaves) {
    const item = items[leaf.item]!;
    const weightG = leaf.nz * item.weightG;
    for (const area of basesOf(leaf, place)) {
      const supports = supportsOf(columns, area, place.z + leaf.z);
      const layersMax = Math.min(item.layersMax, ...supports.map(({ column }) => columns[column]!.layersMax));
      if (layersMax < leaf.nz) return null;
      for (const { column, share } of supports) added[column]! += share * weightG;
      const loadMaxG = item.maxLoadG - (leaf.nz - 1) * item.weightG;
      if (supports.length === 0 && layersMax === Infinity && loadMaxG === Infinity) continue;
      const z = place.z + leaf.z + leaf.nz * leaf.pose.dz;
      columns.push({ ...area, z, layersMax: layersMax - leaf.nz, loadMaxG, supports });
      loadsG.push(0);
      added.push(0);
    }
  }
  if (!passDown(columns, loadsG, added)) return null;
  // Nothing presses on a full block, so its columns are no longer needed.
  const kept = isFull ? before.columns.length : columns.length;
  return { bearing: { columns: columns.slice(0, kept), loadsG: loadsG.slice(0, kept) }, isFull };
}

/** What stands on a column comes after it, so one pass from the last to the first is enough. */
function passDown(columns: readonly Column[], loadsG: number[], added: number[]): boolean {
  for (let at = columns.length - 1; at >= 0; at -= 1) {
    const more = added[at]!;
    if (more === 0) continue;
    const { loadMaxG, supports } = columns[at]!;
    loadsG[at]! += more;
    if (loadsG[at]! > loadMaxG + ROUNDING_G) return false;
    for (const { column, share } of supports) added[column]! += share * more;
  }
  return true;
}

function basesIn(leaves: readonly Stack[]): number {
  return leaves.reduce((sum, { nx, ny }) => sum + nx * ny, 0);
}

/** Search steps that `bearingAfter` counts as. */
export function bearingSteps({ columns }: Bearing, leaves: readonly Stack[]): number {
  return (columns.length + 1) * basesIn(leaves);
}

function basesOf({ pose, nx, ny, x, y }: Stack, place: Place): readonly Area[] {
  return Array.from({ length: nx * ny }, (_, at) => {
    const x0 = place.x + x + Math.floor(at / ny) * pose.dx;
    const y0 = place.y + y + (at % ny) * pose.dy;
    return { x0, y0, x1: x0 + pose.dx, y1: y0 + pose.dy };
  });
}

function supportsOf(columns: readonly Column[], base: Area, z: number): readonly Support[] {
  if (z === 0) return [];
  const area = (base.x1 - base.x0) * (base.y1 - base.y0);
  const supports: Support[] = [];
  for (let at = 0; at < columns.length; at += 1) {
    const shared = columns[at]!.z === z ? sharedArea(columns[at]!, base) : 0;
    if (shared > 0) supports.push({ column: at, share: shared / area });
  }
  return supports;
}

function sharedArea(a: Area, b: Area): number {
  const dx = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const dy = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return dx > 0 && dy > 0 ? dx * dy : 0;
}
