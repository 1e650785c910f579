/**
 * Builds pallets before anything is loaded: the deck is packed as a container without walls, one pallet after the other,
 * and like pallets at once. Each becomes a piece of cargo beside the rest.
 *
 *     lines of one stop ─▶ the deck, as high as a container takes ─▶ pallets
 *                            └─ what does not fit ─▶ one layer, higher or heavier than containers take ─▶ pallets
 */
import { itemsFor, type CargoLine, type LoadRequest } from "../../request/cargo.ts";
import { CONTAINER_TYPES, type ContainerType } from "../../request/container-types.ts";
import { EXTENT_MM_MAX } from "../../request/measures.ts";
import type { Pallet } from "../../request/pallet-types.ts";
import { piecesOf, type Item } from "../packing/item.ts";
import { fillRoom, type Filled } from "../packing/search.ts";
import { builtPallet } from "./as-cargo.ts";
import type { BuiltPallet } from "./built-pallet.ts";

export type PalletisedCargo = {
  /** The cargo is that of the request, without pieces that are palletised, and then the pallets. */
  readonly loaded: LoadRequest;
  readonly pallets: readonly BuiltPallet[];
  /** Pieces of each line of the request that no pallet takes. */
  readonly unbuilt: Int32Array;
};

export function palletise(request: LoadRequest, stepsMax: number): PalletisedCargo {
  const { cargo, pallet } = request;
  const left = Int32Array.from(cargo, ({ palletised, count }) => (palletised ? count : 0));
  if (pallet === null) return { loaded: request, pallets: [], unbuilt: left };
  const stops = [...new Set(cargo.filter((line) => line.palletised).map(({ stop }) => stop))];
  const budget = { steps: 0, stepsMax };
  const pallets = stops.flatMap((stop) =>
    roomsOf(pallet, request).flatMap((room) => built(request, { pallet, room, stop }, left, budget)),
  );
  const loose = cargo.map((line) => (line.palletised ? { ...line, count: 0 } : line));
  const loaded = { ...request, cargo: [...loose, ...pallets.map(({ line }) => line)] };
  return { loaded, pallets, unbuilt: left };
}

type BuildingRoom = {
  readonly heightMm: number;
  readonly payloadG: number;
  /** One layer only, of what goes into no container but an open one. */
  readonly isFlat: boolean;
};

/** What containers take; then higher, and heavier: such pallets are left behind for the containers' reason. */
function roomsOf(pallet: Pallet, { containers }: LoadRequest): readonly BuildingRoom[] {
  const types = containers.map(({ type }) => type);
  const highest = Math.max(
    ...types.map((type) =>
      type.open.length > 0 ? type.heightMm : Math.min(type.heightMm, type.doorHeightMm),
    ),
  );
  const heaviest = Math.max(...types.map(({ payloadG }) => payloadG));
  const most = (pallet.builtHeightMaxMm ?? EXTENT_MM_MAX + pallet.heightMm) - pallet.heightMm;
  const heightMm = Math.min(most, highest - pallet.heightMm);
  const payloadG = Math.min(pallet.loadMaxG, heaviest - pallet.tareG);
  return [
    { heightMm, payloadG, isFlat: false },
    { heightMm: most, payloadG, isFlat: true },
    { heightMm: most, payloadG: pallet.loadMaxG, isFlat: true },
  ].filter((room) => room.heightMm > 0 && room.payloadG >= 0);
}

type Building = { readonly pallet: Pallet; readonly room: BuildingRoom; readonly stop: number };

/** Of the search steps left, for one pallet: the first are the most alike. */
const STEPS_SHARE = 4;

/** Takes the pieces from `left`. */
function built(
  { cargo }: LoadRequest,
  { pallet, room, stop }: Building,
  left: Int32Array,
  budget: { steps: number; readonly stepsMax: number },
): readonly BuiltPallet[] {
  const found: BuiltPallet[] = [];
  const own = cargo.map((line, at) => line.palletised && line.stop === stop && left[at]! > 0);
  while (own.some((isOwn, at) => isOwn && left[at]! > 0)) {
    const lines = cargo.map((line, at) => ({ ...line, count: own[at] ? left[at]! : 0 }));
    const overhang = overhangOf(pallet, room, lines);
    const stepsMax = Math.max(0, Math.floor((budget.stepsMax - budget.steps) / STEPS_SHARE));
    const filled = filledDeck(pallet, room, lines, overhang.mm, stepsMax, budget);
    if (filled.stacks.length === 0) {
      // Those with the shortest edge let nothing stand out as far as they themselves need.
      for (const at of overhang.narrowest) own[at] = false;
      if (overhang.narrowest.length === 0) break;
      continue;
    }
    const taken = new Map<number, number>();
    for (const stack of filled.stacks) taken.set(stack.item, (taken.get(stack.item) ?? 0) + piecesOf(stack));
    const times = Math.min(...[...taken].map(([at, pieces]) => Math.floor(left[at]! / pieces)));
    for (const [at, pieces] of taken) left[at]! -= times * pieces;
    found.push(builtPallet(pallet, cargo, filled, times));
  }
  return found;
}

/** The middle of each piece is over the deck. `narrowest`: the lines that decide. */
function overhangOf(
  pallet: Pallet,
  room: BuildingRoom,
  lines: readonly CargoLine[],
): { readonly mm: number; readonly narrowest: readonly number[] } {
  const edges = itemsOn(pallet, room, lines, pallet.overhangMm).map(({ count, poses }) =>
    count === 0 ? Infinity : Math.min(Infinity, ...poses.flatMap(({ dx, dy }) => [dx, dy])),
  );
  const least = Math.min(...edges);
  const narrowest = [...edges.keys()].filter((at) => edges[at] === least && least !== Infinity);
  return { mm: Math.min(pallet.overhangMm, Math.floor(least / 2)), narrowest };
}

function filledDeck(
  pallet: Pallet,
  room: BuildingRoom,
  lines: readonly CargoLine[],
  overhangMm: number,
  stepsMax: number,
  budget: { steps: number },
): Filled {
  const { lengthMm: length, widthMm: width } = deckType(pallet, room, overhangMm);
  const items = itemsOn(pallet, room, lines, overhangMm);
  return fillRoom(items, { length, width, height: room.heightMm, payloadG: room.payloadG }, stepsMax, budget);
}

function itemsOn(
  pallet: Pallet,
  room: BuildingRoom,
  lines: readonly CargoLine[],
  overhangMm: number,
): readonly Item[] {
  const items = itemsFor(lines, deckType(pallet, room, overhangMm));
  return room.isFlat ? items.map((item) => ({ ...item, stackable: false })) : items;
}

/** The room on the deck as a container, whose walls are its doors. */
function deckType(
  { lengthMm, widthMm }: Pallet,
  { heightMm, payloadG }: Omit<BuildingRoom, "isFlat">,
  overhangMm: number,
): ContainerType {
  const [length, width] = [lengthMm + 2 * overhangMm, widthMm + 2 * overhangMm];
  const extents = { lengthMm: length, widthMm: width, heightMm };
  const plain = CONTAINER_TYPES.get("20GP")!;
  return { ...plain, ...extents, doorWidthMm: width, doorHeightMm: heightMm, payloadG };
}

/** Whether a piece would stand on the deck, were it light enough. */
export function fitsOnDeck(line: CargoLine, pallet: Pallet): boolean {
  const heightMm = (pallet.builtHeightMaxMm ?? EXTENT_MM_MAX + pallet.heightMm) - pallet.heightMm;
  const room = { heightMm, payloadG: Infinity, isFlat: true };
  const lines = [{ ...line, count: 1 }];
  const { mm } = overhangOf(pallet, room, lines);
  return itemsOn(pallet, room, lines, Math.max(0, mm))[0]!.poses.length > 0;
}
