/** What is wrong with the pallets of a plan: written from docs/load-planning.md alone. */
import { isDeepStrictEqual } from "node:util";

import type {
  ContainerView,
  Deck,
  LoadedPallet,
  PalletBuild,
  Placement,
} from "../../src/products/loading/plan/plan-schema.ts";
import type { CargoView, RequestView } from "../../src/products/loading/request/request-schema.ts";
import { brokenLimits, errorsOfPieces, type Piece } from "./pieces.ts";

type PlanOfPallets = {
  readonly request: RequestView;
  readonly pallet_builds: readonly PalletBuild[];
  readonly containers: readonly ContainerView[];
};

type Lines = ReadonlyMap<string, CargoView>;
type PalletView = NonNullable<RequestView["pallet"]>;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const buildId = (build: number) => `build ${build}`;

/** A container as if each pallet were one piece of a line of its own, and the request with those lines. */
export function withPalletsAsPieces(
  container: ContainerView,
  { request, pallet_builds: builds }: PlanOfPallets,
) {
  const lines = new Map(request.cargo.map((line) => [line.id, line]));
  const asLines = builds.map((one): CargoView => {
    const own = one.placements.map(({ cargo }) => lines.get(cargo)!);
    return {
      id: buildId(one.build),
      ...{ shape: "box", diameter_mm: null, lying: false },
      ...{ length_mm: one.length_mm, width_mm: one.width_mm, height_mm: one.height_mm },
      weight_kg: (request.pallet?.tare_kg ?? 0) + sumOf(own.map(({ weight_kg: kg }) => kg)),
      count: one.count,
      stackable:
        request.pallet?.stackable === true &&
        own.every((line) => line.layers_max === null && line.shape === "box"),
      ...{ max_load_kg: null, layers_max: null, stop: own[0]!.stop, upright: ["height"], palletised: false },
      turnable: own.every(({ turnable }) => turnable),
    };
  });
  const loose = container.placements.filter(({ pallet }) => pallet === undefined);
  const placements: Placement[] = container.pallets.map(({ build, x_mm, y_mm, z_mm, ...of }) => ({
    ...{ cargo: buildId(build), x_mm, y_mm, z_mm },
    ...{ length_mm: of.length_mm, width_mm: of.width_mm, height_mm: of.height_mm },
  }));
  return {
    container: { ...container, placements: [...loose, ...placements] },
    request: { ...request, cargo: [...request.cargo, ...asLines] },
  };
}

type Solid = Deck & Pick<Placement, "cylinder_axis">;

/** Everything that takes room in a container: pieces and decks. */
export function solidsOf({ placements, pallets }: ContainerView): readonly Solid[] {
  return [...placements, ...pallets.map(({ deck }) => deck)];
}

export function errorsOfPallets(plan: PlanOfPallets): readonly string[] {
  const { request, containers, pallet_builds: builds } = plan;
  const lines = new Map(request.cargo.map((line) => [line.id, line]));
  const loaded = containers.flatMap(({ pallets }) => pallets);
  const { pallet } = request;
  if (pallet === null) return loaded.length + builds.length === 0 ? [] : ["pallets that nobody asked for"];
  const errors = builds.flatMap((build, at) => {
    const found = errorsOfBuild(build, pallet, lines);
    if (build.build !== at + 1) found.push("another number");
    const count = loaded.filter((one) => one.build === build.build).length;
    if (count !== build.count) found.push(`${count} loaded of ${build.count}`);
    return found.map((error) => `build ${build.build}: ${error}`);
  });
  for (const [at, { number }] of loaded.entries())
    if (number !== at + 1) errors.push(`pallet ${number} is ${at + 1}`);
  for (const container of containers) {
    errors.push(...container.pallets.flatMap((one) => errorsOfPlace(one, container, builds)));
    for (const { cargo, pallet: on } of container.placements) {
      if (lines.get(cargo)!.palletised !== (on !== undefined))
        errors.push(`${cargo} is not where it belongs`);
    }
    errors.push(...errorsOfWhole(container, request, lines));
  }
  return errors;
}

export const pieceOf = (item: number, one: Solid): Piece => ({
  item,
  ...{ x: one.x_mm, y: one.y_mm, z: one.z_mm },
  ...{ dx: one.length_mm, dy: one.width_mm, dz: one.height_mm },
  ...roundOf(one),
});

function roundOf({ cylinder_axis: axis }: Pick<Placement, "cylinder_axis">): Pick<Piece, "round"> {
  return axis === undefined ? {} : { round: axis === "height" ? "upright" : "lying" };
}

export function askedOf(line: CargoView) {
  const { weight_kg: weight, max_load_kg, layers_max, stop } = line;
  return { weight, maxLoad: max_load_kg ?? Infinity, layersMax: layers_max ?? Infinity, stop };
}

function errorsOfBuild(build: PalletBuild, pallet: PalletView, lines: Lines): string[] {
  const { deck, placements } = build;
  const errors: string[] = [];
  const own = placements.map(({ cargo }) => lines.get(cargo)!);
  if (own.length === 0 || own.length !== build.pieces) errors.push("another number of pieces");
  if (new Set(own.map(({ stop }) => stop)).size !== 1) errors.push("pieces of several stops");
  const same = ["length_mm", "width_mm", "height_mm"] as const;
  if (deck.z_mm !== 0 || same.some((side) => deck[side] !== pallet[side])) errors.push("another deck");
  const all = [deck, ...placements];
  const ends = {
    x: [Math.min(...all.map((one) => one.x_mm)), Math.max(...all.map((one) => one.x_mm + one.length_mm))],
    y: [Math.min(...all.map((one) => one.y_mm)), Math.max(...all.map((one) => one.y_mm + one.width_mm))],
    z: [0, Math.max(...all.map((one) => one.z_mm + one.height_mm))],
  };
  const { length_mm: length, width_mm: width, height_mm: height } = build;
  if (!isDeepStrictEqual(ends, { x: [0, length], y: [0, width], z: [0, height] }))
    errors.push("other extents");
  if (height > (pallet.height_mm_max ?? Infinity)) errors.push(`${height} mm high`);
  const load = sumOf(own.map(({ weight_kg: kg }) => kg));
  if (load > pallet.max_load_kg + 1e-9) errors.push(`${load} of ${pallet.max_load_kg} kg`);
  if (Math.abs(build.weight_kg - load - pallet.tare_kg) > 1e-6) errors.push(`weighs ${build.weight_kg} kg`);
  const out = pallet.overhang_mm;
  const onDeck = placements.map((one, at) => ({
    ...pieceOf(at, one),
    ...{ x: one.x_mm - deck.x_mm + out, y: one.y_mm - deck.y_mm + out, z: one.z_mm - deck.height_mm },
  }));
  const room = { length: pallet.length_mm + 2 * out, width: pallet.width_mm + 2 * out, height: Infinity };
  errors.push(...errorsOfPieces(onDeck, room, (at) => own[at]!.stackable));
  errors.push(...brokenLimits(onDeck, (at) => askedOf(own[at]!)));
  for (const one of onDeck.filter(({ z }) => z === 0)) {
    const isOver = (middle: number, extent: number) => middle >= out && middle <= out + extent;
    const isSteady =
      isOver(one.x + one.dx / 2, pallet.length_mm) && isOver(one.y + one.dy / 2, pallet.width_mm);
    if (!isSteady) errors.push(`piece ${one.item} would tip over the edge`);
  }
  return errors;
}

/** Each part where the build puts it, turned about the middle of the pallet if that is turned. */
function errorsOfPlace(one: LoadedPallet, { placements }: ContainerView, builds: readonly PalletBuild[]) {
  const build = builds.find((other) => other.build === one.build);
  if (build === undefined) return [`pallet ${one.number} is of no build`];
  const middle = { x: one.x_mm + one.length_mm / 2, y: one.y_mm + one.width_mm / 2 };
  const expected = (part: Solid): Solid => {
    const x = part.x_mm + part.length_mm / 2 - build.length_mm / 2;
    const y = part.y_mm + part.width_mm / 2 - build.width_mm / 2;
    const [u, v] = one.turned ? [-y, x] : [x, y];
    const [dx, dy] = one.turned ? [part.width_mm, part.length_mm] : [part.length_mm, part.width_mm];
    return {
      ...{ x_mm: middle.x + u - dx / 2, y_mm: middle.y + v - dy / 2, z_mm: one.z_mm + part.z_mm },
      ...{ length_mm: dx, width_mm: dy, height_mm: part.height_mm },
      ...axisOf(part.cylinder_axis, one.turned),
    };
  };
  const named = (parts: readonly Placement[], at: (part: Solid) => Solid) =>
    parts.map((part) => JSON.stringify([part.cargo, at(part)])).toSorted();
  const own = placements.filter(({ pallet }) => pallet === one.number);
  const asIs = ({ x_mm, y_mm, z_mm, length_mm, width_mm, height_mm, cylinder_axis }: Solid): Solid => ({
    ...{ x_mm, y_mm, z_mm, length_mm, width_mm, height_mm },
    ...axisOf(cylinder_axis, false),
  });
  const errors: string[] = [];
  if (!isDeepStrictEqual(named(own, asIs), named(build.placements, expected)))
    errors.push("pieces elsewhere");
  if (!isDeepStrictEqual(asIs(one.deck), expected(build.deck))) errors.push("its deck elsewhere");
  if (!isDeepStrictEqual(asIs(one), expected({ x_mm: 0, y_mm: 0, z_mm: 0, ...extentsOf(build) })))
    errors.push("other extents");
  return errors.map((error) => `pallet ${one.number}: ${error}`);
}

function axisOf(axis: Solid["cylinder_axis"], isTurned: boolean): Pick<Solid, "cylinder_axis"> {
  if (axis === undefined) return {};
  const turned = { length: "width", width: "length", height: "height" } as const;
  return { cylinder_axis: isTurned ? turned[axis] : axis };
}

const extentsOf = ({ length_mm, width_mm, height_mm }: PalletBuild) => ({ length_mm, width_mm, height_mm });

/** Every piece and every deck by itself: nothing overlaps, hangs over or bears too much, whatever pallet it is on. */
function errorsOfWhole(container: ContainerView, request: RequestView, lines: Lines): readonly string[] {
  if (container.out_of_gauge !== null || container.pallets.length === 0) return [];
  const pieces = container.placements.map((one, at) => pieceOf(at, one));
  const first = pieces.length;
  // What hangs over a deck is held by it, so a deck is as large as its pallet here.
  const decks = container.pallets.map((one, at) =>
    pieceOf(first + at, { ...one, height_mm: one.deck.height_mm }),
  );
  const lineOf = (item: number) => lines.get(container.placements[item]!.cargo)!;
  const stops = container.pallets.map(
    ({ number }) => lines.get(container.placements.find(({ pallet }) => pallet === number)!.cargo)!.stop,
  );
  const room = { length: container.length_mm, width: container.width_mm, height: container.height_mm };
  const asked = (item: number) =>
    item < first
      ? { ...askedOf(lineOf(item)), layersMax: Infinity }
      : {
          ...{ weight: request.pallet!.tare_kg, maxLoad: Infinity, layersMax: Infinity },
          stop: stops[item - first]!,
        };
  const all = [...pieces, ...decks];
  const mayBear = (item: number) => item >= first || lineOf(item).stackable;
  return [...errorsOfPieces(all, room, mayBear), ...brokenLimits(all, asked)];
}

/** `fits`: whether the piece is inside of the extents in some way that it may lie. */
export function errorsOfUnloaded(
  { cargo, count, reason }: { readonly cargo: string; readonly count: number; readonly reason: string },
  { request }: Pick<PlanOfPallets, "request">,
  fits: (extents: readonly [length: number, width: number, height: number]) => boolean,
): readonly string[] {
  const { pallet, containers } = request;
  const line = request.cargo.find(({ id }) => id === cargo)!;
  if (pallet === null) return [`${cargo} has no pallet`];
  const deck = (out: number) =>
    fits([
      pallet.length_mm + 2 * out,
      pallet.width_mm + 2 * out,
      (pallet.height_mm_max ?? Infinity) - pallet.height_mm,
    ]);
  const isLight = line.weight_kg <= pallet.max_load_kg;
  const errors = count < 1 ? [`${count} of ${cargo} are left`] : [];
  if (reason === "too_large_for_pallet") return deck(0) ? [...errors, `${cargo} fits on a pallet`] : errors;
  if (!deck(pallet.overhang_mm)) errors.push(`${cargo} fits on no pallet, and is ${reason}`);
  if ((reason === "too_heavy_for_pallet") === isLight)
    errors.push(`${cargo} weighs as much as it may: ${reason}`);
  if (reason === "no_room" && containers.every((one) => one.count === null))
    errors.push(`${cargo} is left without need`);
  return errors;
}
