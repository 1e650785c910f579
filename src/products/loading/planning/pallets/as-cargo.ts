/** A filled deck as a piece of cargo: how large and heavy it is, and what it bears. */
import type { CargoLine } from "../../request/cargo.ts";
import type { Pallet } from "../../request/pallet-types.ts";
import type { Stack } from "../packing/item.ts";
import type { Filled } from "../packing/search.ts";
import { boxesOf, type Box, type BuiltPallet, type PlacedBox } from "./built-pallet.ts";

/** What stands on it is in the middle of the deck. `count`: of such pallets. */
export function builtPallet(
  pallet: Pallet,
  cargo: readonly CargoLine[],
  { stacks, weightG }: Filled,
  count: number,
): BuiltPallet {
  const along = spanOf(stacks.map(({ x, nx, pose }) => [x, x + nx * pose.dx]));
  const across = spanOf(stacks.map(({ y, ny, pose }) => [y, y + ny * pose.dy]));
  const [lengthMm, widthMm] = [
    Math.max(pallet.lengthMm, along.extent),
    Math.max(pallet.widthMm, across.extent),
  ];
  const deck: Box = {
    x: Math.floor((lengthMm - pallet.lengthMm) / 2),
    y: Math.floor((widthMm - pallet.widthMm) / 2),
    z: 0,
    dx: pallet.lengthMm,
    dy: pallet.widthMm,
    dz: pallet.heightMm,
  };
  const toMiddle = {
    x: Math.floor((lengthMm - along.extent) / 2) - along.from,
    y: Math.floor((widthMm - across.extent) / 2) - across.from,
  };
  const moved = stacks.map((one) => ({
    ...one,
    x: one.x + toMiddle.x,
    y: one.y + toMiddle.y,
    z: one.z + pallet.heightMm,
  }));
  const lines = [...new Set(moved.map(({ item }) => item))].map((item) => cargo[item]!);
  const heightMm = Math.max(...moved.map(({ z, nz, pose }) => z + nz * pose.dz));
  const area = lengthMm * widthMm;
  const bears = pallet.stackable ? bearsOnTop(cargo, moved, heightMm, area) : null;
  return {
    line: {
      id: "",
      shape: "box",
      lengthMm,
      widthMm,
      heightMm,
      weightG: pallet.tareG + weightG,
      count,
      stackable: bears !== null,
      maxLoadG: bears === Infinity ? null : bears,
      layersMax: null,
      stop: lines[0]!.stop,
      upright: ["height"],
      turnable: lines.every(({ turnable }) => turnable),
      palletised: false,
    },
    deck,
    stacks: moved,
  };
}

function spanOf(spans: readonly (readonly [number, number])[]) {
  const from = Math.min(...spans.map(([start]) => start));
  return { from, extent: Math.max(...spans.map(([, end]) => end)) - from };
}

/**
 * The most that may stand on a built pallet: whatever it is and wherever it stands, no piece then bears more than it
 * may. Null: nothing, since the top is not one full layer of boxes, or a piece bears nothing or counts its layers.
 */
function bearsOnTop(
  cargo: readonly CargoLine[],
  stacks: readonly Stack[],
  heightMm: number,
  area: number,
): number | null {
  const boxes = boxesOf(stacks);
  const top = boxes.filter(({ z, dz, axis }) => axis === undefined && z + dz === heightMm);
  if (top.reduce((sum, { dx, dy }) => sum + dx * dy, 0) < area) return null;
  const lines = stacks.map(({ item }) => cargo[item]!);
  if (lines.some(({ stackable, layersMax }) => !stackable || layersMax !== null)) return null;
  if (lines.every(({ maxLoadG }) => maxLoadG === null)) return Infinity;
  const borneG = borneBy(boxes, cargo);
  const spare = boxes.map((box) => (cargo[box.item]!.maxLoadG ?? Infinity) - borneG.get(box)!);
  return Math.max(0, Math.floor(Math.min(...spare)));
}

/** What lies on each piece, by the share of each base on it. */
function borneBy(boxes: readonly PlacedBox[], cargo: readonly CargoLine[]): ReadonlyMap<PlacedBox, number> {
  const borneG = new Map(boxes.map((box) => [box, 0]));
  for (const box of boxes.toSorted((a, b) => b.z - a.z)) {
    const pressing = cargo[box.item]!.weightG + borneG.get(box)!;
    for (const below of boxes) {
      if (below.z + below.dz !== box.z) continue;
      const share = sharedArea(box, below) / (box.dx * box.dy);
      borneG.set(below, borneG.get(below)! + share * pressing);
    }
  }
  return borneG;
}

function sharedArea(a: Box, b: Box): number {
  const dx = Math.min(a.x + a.dx, b.x + b.dx) - Math.max(a.x, b.x);
  const dy = Math.min(a.y + a.dy, b.y + b.dy) - Math.max(a.y, b.y);
  return dx > 0 && dy > 0 ? dx * dy : 0;
}
