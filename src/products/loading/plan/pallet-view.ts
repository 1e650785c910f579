/** Built pallets → what clients see: each kind once, with what stands on it, and each pallet in its container. */
import type { LoadRequest } from "../request/cargo.ts";
import type { ContainerType } from "../request/container-types.ts";
import type { LoadedContainer } from "../planning/container-filling.ts";
import type { LoadPlan } from "../planning/load-plan.ts";
import { piecesOf, type Stack } from "../planning/packing/item.ts";
import {
  boxesOf,
  isTurned,
  placedIn,
  volumeOfBox,
  type Box,
  type BuiltPallet,
} from "../planning/pallets/built-pallet.ts";
import type { Deck, LoadedPallet, PalletBuild, Placement } from "./plan-schema.ts";

/** Pallets as the plan numbers them: kinds in the order of building, loaded ones only. */
export type PalletNumbers = {
  readonly buildOf: ReadonlyMap<BuiltPallet, number>;
  readonly countOf: ReadonlyMap<BuiltPallet, number>;
};

export function palletNumbers({ cargo }: LoadRequest, { pallets, containers }: LoadPlan): PalletNumbers {
  const countOf = new Map<BuiltPallet, number>();
  for (const stack of containers.flatMap(({ stacks }) => stacks)) {
    const pallet = pallets[stack.item - cargo.length];
    if (pallet !== undefined) countOf.set(pallet, (countOf.get(pallet) ?? 0) + piecesOf(stack));
  }
  const loaded = pallets.filter((pallet) => countOf.has(pallet));
  return { countOf, buildOf: new Map(loaded.map((pallet, at) => [pallet, at + 1])) };
}

export function palletBuilds(
  { cargo }: LoadRequest,
  { buildOf, countOf }: PalletNumbers,
): readonly PalletBuild[] {
  return [...buildOf].map(([pallet, build]) => {
    const { line, deck, stacks } = pallet;
    const placements = boxesOf(stacks).map((box) => placementOf(cargo[box.item]!.id, box));
    return {
      build,
      count: countOf.get(pallet)!,
      length_mm: line.lengthMm,
      width_mm: line.widthMm,
      height_mm: line.heightMm,
      weight_kg: line.weightG / 1_000,
      pieces: placements.length,
      deck: placeOf(deck),
      placements,
    };
  });
}

/** The pallets of one stack, numbered on from `before`, and the pieces on them. */
export function loadedPallets(
  { cargo }: LoadRequest,
  pallet: BuiltPallet,
  build: number,
  stack: Stack,
  before: number,
): { readonly pallets: readonly LoadedPallet[]; readonly placements: readonly Placement[] } {
  const places = boxesOf([stack]);
  const boxes = boxesOf(pallet.stacks);
  const pallets = places.map((place, at) => ({
    number: before + at + 1,
    build,
    turned: isTurned(pallet, place),
    ...placeOf(place),
    deck: placeOf(placedIn(pallet, place, pallet.deck)),
  }));
  const placements = places.flatMap((place, at) =>
    boxes.map((box) => ({
      ...placementOf(cargo[box.item]!.id, placedIn(pallet, place, box)),
      pallet: before + at + 1,
    })),
  );
  return { pallets, placements };
}

export function placementOf(id: string, box: Box): Placement {
  return { cargo: id, ...placeOf(box), ...(box.axis === undefined ? {} : { cylinder_axis: box.axis }) };
}

function placeOf({ x, y, z, dx, dy, dz }: Box): Deck {
  return { x_mm: x, y_mm: y, z_mm: z, length_mm: dx, width_mm: dy, height_mm: dz };
}

/** Of the cargo and its pallets, without gaps: of what is `inside` the container, and with what stands out. */
export function volumesOf(
  { cargo }: LoadRequest,
  { pallets }: LoadPlan,
  { stacks, choice }: LoadedContainer,
): { readonly inside: number; readonly whole: number } {
  let inside = 0;
  let whole = 0;
  for (const stack of stacks) {
    const [place] = boxesOf([{ ...stack, nx: 1, ny: 1, nz: 1 }]);
    const pallet = pallets[stack.item - cargo.length];
    const parts =
      pallet === undefined
        ? [place!]
        : [pallet.deck, ...boxesOf(pallet.stacks)].map((part) => placedIn(pallet, place!, part));
    inside += piecesOf(stack) * parts.reduce((sum, part) => sum + volumeInside(part, choice.type), 0);
    whole += piecesOf(stack) * parts.reduce((sum, part) => sum + volumeOfBox(part), 0);
  }
  return { inside, whole };
}

/** Of a cylinder that stands out, as much as of the block around it. */
function volumeInside(part: Box, { widthMm, heightMm }: ContainerType): number {
  const dy = Math.max(0, Math.min(widthMm, part.y + part.dy) - Math.max(0, part.y));
  const dz = Math.max(0, Math.min(heightMm, part.z + part.dz) - part.z);
  return volumeOfBox({ ...part, dy, dz });
}
