/** What is wrong with a plan, judged only by what its client sees: written from docs/load-planning.md alone. */
import { isDeepStrictEqual } from "node:util";

import type { ContainerView, PlanDetail, PlanSummary } from "../../src/products/loading/plan/plan-schema.ts";
import type {
  CargoView,
  ContainerChoiceView,
  RequestView,
} from "../../src/products/loading/request/request-schema.ts";
import {
  askedOf,
  errorsOfPallets,
  errorsOfUnloaded,
  pieceOf,
  solidsOf,
  withPalletsAsPieces,
} from "./pallet-errors.ts";
import { brokenLimits, errorsOfPieces } from "./pieces.ts";

type Mass = {
  readonly kg: number;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
};

function massesOf({ placements }: ContainerView, request: RequestView): readonly Mass[] {
  const weights = new Map(request.cargo.map(({ id, weight_kg }) => [id, weight_kg]));
  return placements.map((one) => ({
    kg: weights.get(one.cargo)!,
    from: one.x_mm,
    to: one.x_mm + one.length_mm,
    x: one.x_mm + one.length_mm / 2,
    y: one.y_mm + one.width_mm / 2,
    z: one.z_mm + one.height_mm / 2,
  }));
}

function kgBetween(masses: readonly Mass[], from: number, to: number): number {
  return masses.reduce((sum, one) => {
    const part = Math.min(to, one.to) - Math.max(from, one.from);
    return part > 0 ? sum + (one.kg * part) / (one.to - one.from) : sum;
  }, 0);
}

/** A metre with the most on it begins or ends where a piece does. */
function mostOnAnyMetre(masses: readonly Mass[]): number {
  const edges = [...new Set(masses.flatMap(({ from, to }) => [from, to]))];
  const starts = edges.flatMap((edge) => [edge, edge - 1_000]);
  return starts.reduce((most, from) => Math.max(most, kgBetween(masses, from, from + 1_000)), 0);
}

/** Each group by the moments about the other support. */
function axleLoads(masses: readonly Mass[], choice: ContainerChoiceView, { vehicle }: RequestView) {
  if (vehicle === null) return [];
  const tare = { kg: choice.tare_kg ?? 0, x: choice.length_mm / 2 };
  const pull = (loads: readonly { kg: number; x: number }[], about: number, at: number) =>
    loads.reduce((sum, one) => sum + (one.kg * (one.x - about)) / (at - about), 0);
  const [front, rear, trailer] = vehicle.axle_groups.map((one) => one.position_mm);
  const cargo = [...masses, tare];
  const kingpin = vehicle.kingpin_mm;
  const onTractor =
    trailer === undefined || kingpin === null ? cargo : [{ kg: pull(cargo, trailer, kingpin), x: kingpin }];
  const shares = [pull(onTractor, rear!, front!), pull(onTractor, front!, rear!)];
  if (trailer !== undefined) shares.push(pull(cargo, kingpin!, trailer));
  return vehicle.axle_groups.map(
    ({ name, tare_kg: own, max_kg: most }, at) => [`axle_load_kg ${name}`, own + shares[at]!, most] as const,
  );
}

function errorsOfWeights(
  container: ContainerView,
  choice: ContainerChoiceView,
  request: RequestView,
): readonly string[] {
  const masses = massesOf(container, request);
  const kg = masses.reduce((sum, one) => sum + one.kg, 0);
  const errors: string[] = [];
  const near = (what: string, is: number | undefined, should: number, by: number) => {
    if (is === undefined || Math.abs(is - should) > by) errors.push(`${what} is ${is} instead of ${should}`);
  };
  for (const [at, metre] of container.load_per_metre_kg.entries())
    near(`metre ${at}`, metre, kgBetween(masses, at * 1_000, (at + 1) * 1_000), 0.001 * (masses.length + 1));
  near("metres", container.load_per_metre_kg.length, Math.ceil(choice.length_mm / 1_000), 0);
  const asked = new Map<string, readonly [value: number, max: number]>();
  if (kg > 0) {
    const middle = (of: (one: Mass) => number) => masses.reduce((sum, one) => sum + of(one) * one.kg, 0) / kg;
    const centre = { x: middle((one) => one.x), y: middle((one) => one.y), z: middle((one) => one.z) };
    for (const axis of ["x", "y", "z"] as const)
      near(`the centre's ${axis}`, container.centre_of_gravity_mm?.[axis], centre[axis], 0.51);
    if (request.max_off_centre !== null) {
      const { length, width } = request.max_off_centre;
      asked.set("off_centre_length", [Math.abs(centre.x / choice.length_mm - 0.5), length]);
      asked.set("off_centre_width", [Math.abs(centre.y / choice.width_mm - 0.5), width]);
    }
    if (choice.max_line_load_kg_m !== null)
      asked.set("line_load_kg_m", [mostOnAnyMetre(masses), choice.max_line_load_kg_m]);
  }
  for (const [name, load, max] of kg > 0 ? axleLoads(masses, choice, request) : [])
    asked.set(name, [load, max]);
  if (container.limits.length !== asked.size)
    errors.push(`${container.limits.length} limits of ${asked.size}`);
  for (const { axle_group: group, value, max, kept, ...one } of container.limits) {
    const limit = group === undefined ? one.limit : `${one.limit} ${group}`;
    const [should, most] = asked.get(limit) ?? [Number.NaN, Number.NaN];
    near(limit, value, should, 1e-4 + Math.abs(should) * 1e-6);
    near(`the most of ${limit}`, max, most, 1e-9);
    // Within what rounding may decide, either is right.
    if (Math.abs(should - most) > 1e-4 * most + 1e-8 && kept !== should < most)
      errors.push(`${limit} is ${should} of ${most}, and reported as ${kept ? "kept" : "broken"}`);
  }
  return errors;
}

export type SummarizedPlan = PlanDetail & { readonly summary: PlanSummary; readonly request: RequestView };

const CONTAINERS_MAX = 500;

type Extents = Readonly<Record<"length_mm" | "width_mm" | "height_mm", number>>;
type Way = Extents & { readonly cylinder_axis?: "length" | "width" | "height" };

/** Upright, or lying along or across. */
function waysOfCylinder({ diameter_mm, height_mm, lying, turnable }: CargoView): readonly Way[] {
  const [thick, long] = [diameter_mm!, height_mm];
  const upright: Way = { length_mm: thick, width_mm: thick, height_mm: long, cylinder_axis: "height" };
  const across: Way = { length_mm: thick, width_mm: long, height_mm: thick, cylinder_axis: "width" };
  const along: Way = { length_mm: long, width_mm: thick, height_mm: thick, cylinder_axis: "length" };
  return [upright, ...(lying ? [across] : []), ...(lying && turnable ? [along] : [])];
}

/** The poses of a piece: an edge that may stand upright, and the other two along and across, or turned. */
function waysOf(line: CargoView): readonly Way[] {
  if (line.shape === "cylinder") return waysOfCylinder(line);
  const { length_mm, width_mm, height_mm, upright, turnable } = line;
  return upright.flatMap((edge) => {
    const standing = {
      length: { length_mm: width_mm, width_mm: height_mm, height_mm: length_mm },
      width: { length_mm, width_mm: height_mm, height_mm: width_mm },
      height: { length_mm, width_mm, height_mm },
    }[edge];
    const turned = { ...standing, length_mm: standing.width_mm, width_mm: standing.length_mm };
    return turnable ? [standing, turned] : [standing];
  });
}

const SIDES = ["length_mm", "width_mm", "height_mm"] as const;

function goesThroughDoor(piece: Extents, container: ContainerChoiceView): boolean {
  return (
    piece.height_mm <= container.door_height_mm &&
    Math.min(piece.length_mm, piece.width_mm) <= container.door_width_mm
  );
}

function isInside(piece: Extents, container: ContainerChoiceView): boolean {
  return SIDES.every((side) => piece[side] <= container[side]);
}

/** Without standing out: through the door, or where the container is open. */
function fitsInGauge(line: CargoView, container: ContainerChoiceView): boolean {
  const isOpen = container.open.length > 0;
  return waysOf(line).some(
    (piece) => isInside(piece, container) && (isOpen || goesThroughDoor(piece, container)),
  );
}

/** How far a piece in the middle stands out of each side and of the roof, and the most that it may. */
function isAllowedOut(piece: Extents, container: ContainerChoiceView): boolean {
  const side = Math.ceil(Math.max(0, piece.width_mm - container.width_mm) / 2);
  const top = Math.max(0, piece.height_mm - container.height_mm);
  const sideMax = container.open.includes("sides") ? (container.max_over_width_mm ?? Infinity) : 0;
  const topMax = container.open.includes("roof") ? (container.max_over_height_mm ?? Infinity) : 0;
  return piece.length_mm <= container.length_mm && side <= sideMax && top <= topMax;
}

function fits(line: CargoView, container: ContainerChoiceView): boolean {
  if (fitsInGauge(line, container)) return true;
  return container.open.length > 0 && waysOf(line).some((piece) => isAllowedOut(piece, container));
}

/** Pieces that stand out, cut down to the part inside, and what is wrong with how they stand out. */
function cutToGauge(container: ContainerView, choice: ContainerChoiceView, lines: Lines) {
  const errors: string[] = [];
  const out = { pieces: 0, over_height_mm: 0, over_width_left_mm: 0, over_width_right_mm: 0 };
  const placements = container.placements.map((one) => {
    const left = Math.max(0, -one.y_mm);
    const right = Math.max(0, one.y_mm + one.width_mm - choice.width_mm);
    const top = Math.max(0, one.z_mm + one.height_mm - choice.height_mm);
    if (left + right + top === 0) return one;
    out.pieces += 1;
    out.over_height_mm = Math.max(out.over_height_mm, top);
    out.over_width_left_mm = Math.max(out.over_width_left_mm, left);
    out.over_width_right_mm = Math.max(out.over_width_right_mm, right);
    if (fitsInGauge(lines.get(one.cargo)!, choice)) errors.push(`${one.cargo} stands out without need`);
    if (!isAllowedOut(one, choice)) errors.push(`${one.cargo} stands out further than it may`);
    if (one.z_mm !== 0) errors.push(`${one.cargo} stands out, and not on the floor`);
    if (Math.abs(left - right) > 1) errors.push(`${one.cargo} stands out on one side`);
    const inside = { width_mm: one.width_mm - left - right, height_mm: one.height_mm - top };
    return { ...one, ...inside, y_mm: one.y_mm + left };
  });
  const told = out.pieces === 0 ? null : out;
  if (!isDeepStrictEqual(told, container.out_of_gauge)) errors.push("another out_of_gauge");
  return { placements, errors };
}

type Lines = ReadonlyMap<string, CargoView>;

const volumeOf = (one: Way) =>
  one.length_mm * one.width_mm * one.height_mm * (one.cylinder_axis === undefined ? 1 : Math.PI / 4);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const isAlike = (one: number, other: number, by = 1e-6) => Math.abs(one - other) <= by;

export function errorsOfPlan(plan: SummarizedPlan): readonly string[] {
  const { request, containers, left } = plan;
  const lines = new Map(request.cargo.map((line) => [line.id, line]));
  const errors = containers.flatMap((container, at) => {
    if (container.number !== at + 1) return [`container ${at + 1} has another number`];
    const { container: pieced, request: asked } = withPalletsAsPieces(container, plan);
    const all = new Map(asked.cargo.map((line) => [line.id, line]));
    return [...errorsOfContainer(pieced, asked, all), ...errorsOfContent(container, request)].map(
      (error) => `container ${at + 1}: ${error}`,
    );
  });
  for (const { type, count } of request.containers) {
    const used = containers.filter((container) => container.type === type).length;
    if (count !== null && used > count) errors.push(`${used} of ${count} ${type}`);
  }
  const placed = containers.flatMap(({ placements }) => placements.map(({ cargo }) => cargo));
  const seen = Map.groupBy(placed, (id) => id);
  for (const { id, count } of request.cargo) {
    const behind = left.filter(({ cargo }) => cargo === id);
    const pieces = (seen.get(id)?.length ?? 0) + sumOf(behind.map((one) => one.count));
    if (pieces !== count || new Set(behind.map(({ reason }) => reason)).size < behind.length)
      errors.push(`${pieces} of ${count} pieces of ${id}`);
  }
  errors.push(...errorsOfPallets(plan));
  return [...errors, ...left.flatMap((one) => errorsOfLeft(one, plan, lines)), ...errorsOfSummary(plan)];
}

/** What it says of its pieces one by one. */
function errorsOfContent(container: ContainerView, request: RequestView): readonly string[] {
  const choice = request.containers.find(({ type }) => type === container.type)!;
  const inside = solidsOf(container).map((one) => {
    const across = Math.min(choice.width_mm, one.y_mm + one.width_mm) - Math.max(0, one.y_mm);
    const up = Math.min(choice.height_mm, one.z_mm + one.height_mm) - one.z_mm;
    return volumeOf({ ...one, width_mm: Math.max(0, across), height_mm: Math.max(0, up) });
  });
  const errors: string[] = [];
  const filled = sumOf(inside) / volumeOf(choice);
  if (!isAlike(container.volume_fill, filled, 5.1e-5)) errors.push(`a fill of ${container.volume_fill}`);
  const pieces = container.placements.length;
  if (container.pieces !== pieces || pieces === 0) errors.push("another number of pieces");
  return errors;
}

function errorsOfContainer(container: ContainerView, request: RequestView, lines: Lines): readonly string[] {
  const choice = request.containers.find(({ type }) => type === container.type);
  if (choice === undefined) return [`no ${container.type} was offered`];
  const errors: string[] = [];
  for (const side of [...SIDES, "max_payload_kg"] as const) {
    if (container[side] !== choice[side]) errors.push(`another ${side}`);
  }
  const order = [...lines.keys()];
  const gauge = cutToGauge(container, choice, lines);
  errors.push(...gauge.errors);
  const pieces = gauge.placements.map((one) => pieceOf(order.indexOf(one.cargo), one));
  const room = { length: choice.length_mm, width: choice.width_mm, height: choice.height_mm };
  errors.push(...errorsOfPieces(pieces, room, (item) => lines.get(order[item]!)!.stackable));
  const asked = (item: number) => askedOf(lines.get(order[item]!)!);
  errors.push(...brokenLimits(pieces, asked), ...errorsOfWeights(container, choice, request));
  for (const placement of container.placements) {
    const sides = [...SIDES, "cylinder_axis"] as const;
    const isWay = waysOf(lines.get(placement.cargo)!).some((way) =>
      sides.every((side) => way[side] === placement[side]),
    );
    if (!isWay) errors.push(`${placement.cargo} lies as it may not`);
    if (choice.open.length === 0 && !goesThroughDoor(placement, choice))
      errors.push(`${placement.cargo} does not go through the door`);
  }
  const weight = sumOf(container.placements.map(({ cargo }) => lines.get(cargo)!.weight_kg));
  if (!isAlike(weight, container.weight_kg)) errors.push(`${container.weight_kg} kg instead of ${weight}`);
  if (container.weight_kg > choice.max_payload_kg) errors.push(`${weight} kg of ${choice.max_payload_kg}`);
  return errors;
}

function errorsOfLeft(
  { cargo, count, reason }: PlanDetail["left"][number],
  plan: SummarizedPlan,
  lines: Lines,
): readonly string[] {
  const line = lines.get(cargo)!;
  if (line.palletised) {
    return errorsOfUnloaded({ cargo, count, reason }, plan, ([length, width, height]) =>
      waysOf(line).some((way) => way.length_mm <= length && way.width_mm <= width && way.height_mm <= height),
    );
  }
  const { request, containers } = plan;
  const large = request.containers.filter((container) => fits(line, container));
  const strong = large.filter(({ max_payload_kg }) => line.weight_kg <= max_payload_kg);
  const isInsideAny = request.containers.some((choice) => waysOf(line).some((way) => isInside(way, choice)));
  const unfit = isInsideAny ? "door_too_small" : "too_large";
  const right = large.length === 0 ? unfit : strong.length === 0 ? "too_heavy" : "no_room";
  const errors = reason === right ? [] : [`${cargo} is left as ${reason}, and is ${right}`];
  if (count < 1) errors.push(`${count} of ${cargo} are left`);
  const isMoreToBeHad = strong.some(({ count: number }) => number === null);
  if (isMoreToBeHad && containers.length < CONTAINERS_MAX) errors.push(`${cargo} is left without need`);
  return errors;
}

function errorsOfSummary({ summary, request, containers, left }: SummarizedPlan): readonly string[] {
  const pieces = sumOf(request.cargo.map(({ count }) => count));
  const piecesLeft = sumOf(left.map(({ count }) => count));
  const placements = containers.flatMap((container) => container.placements);
  const inside = sumOf(containers.map((one) => one.volume_fill * volumeOf(one)));
  const volume = sumOf(containers.flatMap(solidsOf).map(volumeOf));
  const room = sumOf(containers.map(volumeOf));
  const errors: string[] = [];
  const expected: readonly (readonly [string, number, number, number])[] = [
    ["pieces", summary.pieces, pieces, 0],
    ["pieces_left", summary.pieces_left, piecesLeft, 0],
    ["pieces_placed", summary.pieces_placed, placements.length, 0],
    ["container_count", summary.container_count, containers.length, 0],
    ["containers", sumOf(summary.containers.map(({ count }) => count)), containers.length, 0],
    ["left_by_reason", sumOf(Object.values(summary.left_by_reason)), piecesLeft, 0],
    ["weight_kg", summary.weight_kg, sumOf(containers.map(({ weight_kg: kg }) => kg)), 1e-6],
    ["volume_m3", summary.volume_m3, volume / 1e9, 5e-4],
    ["volume_fill", summary.volume_fill ?? 0, room === 0 ? 0 : inside / room, 1e-4],
  ];
  for (const [name, is, should, by] of expected) {
    if (!isAlike(is, should, by + 1e-9)) errors.push(`the summary's ${name} is ${is} instead of ${should}`);
  }
  if ((summary.volume_fill === null) !== (containers.length === 0)) errors.push("a fill of nothing");
  return errors;
}
