/** A load plan → what clients see: kilograms, shares, and every piece by itself. */
import { volumeOf, type CargoLine, type Edge, type LoadRequest } from "../request/cargo.ts";
import type { LoadedContainer } from "../planning/container-filling.ts";
import type { LoadPlan } from "../planning/load-plan.ts";
import { piecesOf, wholeOf, type Pose, type Stack } from "../planning/packing/item.ts";
import { isKept, limitsOf, type Limit } from "../planning/balance/limits.ts";
import { loadPerMetre } from "../planning/balance/line-load.ts";
import { weightOf } from "../planning/balance/sections.ts";
import type { RequestView } from "../request/request-schema.ts";
import type { ContainerView, KeptLimit, Placement, PlanDetail, PlanSummary } from "./plan-schema.ts";

export function planSummary(request: LoadRequest, { containers, left }: LoadPlan): PlanSummary {
  const pieces = request.cargo.reduce((sum, { count }) => sum + count, 0);
  const piecesLeft = left.reduce((sum, { count }) => sum + count, 0);
  const byReason: PlanSummary["left_by_reason"] = {};
  for (const { reason, count } of left) byReason[reason] = (byReason[reason] ?? 0) + count;
  const byType = new Map<string, number>();
  for (const { choice } of containers) {
    byType.set(choice.type.code, (byType.get(choice.type.code) ?? 0) + 1);
  }
  const volume = containers.reduce((sum, { stacks }) => sum + volumeInside(stacks), 0);
  const wholeVolume = containers.reduce((sum, { stacks }) => sum + wholeVolumeOf(stacks), 0);
  const room = containers.reduce((sum, { choice }) => sum + volumeOf(choice.type), 0);
  return {
    containers: [...byType].map(([type, count]) => ({ type, count })),
    container_count: containers.length,
    pieces,
    pieces_placed: pieces - piecesLeft,
    pieces_left: piecesLeft,
    left_by_reason: byReason,
    volume_fill: room === 0 ? null : share(volume, room),
    volume_m3: Math.round(wholeVolume / 1e6) / 1e3,
    weight_kg: containers.reduce((sum, { weightG }) => sum + weightG, 0) / 1_000,
  };
}

export function planDetail(request: LoadRequest, { containers, left }: LoadPlan): PlanDetail {
  return {
    containers: containers.map((container, index) => containerView(request, container, index + 1)),
    left: left.map(({ line, count, reason }) => ({ cargo: request.cargo[line]!.id, count, reason })),
  };
}

/** With what stands out. */
function wholeVolumeOf(stacks: readonly Stack[]): number {
  return volumeInside(stacks.map((stack) => ({ ...stack, pose: { ...stack.pose, ...wholeOf(stack.pose) } })));
}

/** A cylinder fills so much of the block around it. */
const ROUND_SHARE = Math.PI / 4;

function volumeInside(stacks: readonly Stack[]): number {
  return stacks.reduce((sum, stack) => {
    const { dx, dy, dz, round } = stack.pose;
    return sum + piecesOf(stack) * dx * dy * dz * (round === undefined ? 1 : ROUND_SHARE);
  }, 0);
}

/** To four decimals. */
function share(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}

function containerView(
  request: LoadRequest,
  { choice, stacks, weightG }: LoadedContainer,
  number: number,
): ContainerView {
  const { cargo } = request;
  const { type } = choice;
  const weights = stacks.map((stack) => weightOf(cargo, stack));
  const inOrder = stacks.toSorted((a, b) => cargo[b.item]!.stop - cargo[a.item]!.stop);
  return {
    number,
    type: type.code,
    length_mm: type.lengthMm,
    width_mm: type.widthMm,
    height_mm: type.heightMm,
    pieces: stacks.reduce((sum, stack) => sum + piecesOf(stack), 0),
    volume_fill: share(volumeInside(stacks), volumeOf(type)),
    weight_kg: weightG / 1_000,
    max_payload_kg: type.payloadG / 1_000,
    gross_weight_kg: type.tareG === null ? null : (weightG + type.tareG) / 1_000,
    centre_of_gravity_mm: centreOf(cargo, stacks, weightG),
    load_per_metre_kg: loadPerMetre(weights, type.lengthMm).map((grams) => Math.round(grams) / 1_000),
    out_of_gauge: outOfGauge(stacks),
    limits: limitsOf(weights, type, request).map(limitView),
    placements: inOrder.flatMap((stack) => placementsOf(cargo[stack.item]!, stack)),
  };
}

function limitView(limit: Limit): KeptLimit {
  return { ...limit, value: Math.round(limit.value * 10_000) / 10_000, kept: isKept(limit) };
}

type StoredDetail = {
  readonly containers: readonly (Omit<ContainerView, "load_per_metre_kg" | "limits" | "out_of_gauge"> &
    Partial<ContainerView>)[];
  readonly left: PlanDetail["left"];
};

/** A plan made before there were limits says what each metre carries, and has no limits. */
export function storedPlanDetail({ cargo }: RequestView, { containers, left }: StoredDetail): PlanDetail {
  const weightG = new Map(cargo.map(({ id, weight_kg }) => [id, weight_kg * 1_000]));
  const loads = ({ placements, length_mm: length }: StoredDetail["containers"][number]) =>
    loadPerMetre(
      placements.map((one) => ({ x: one.x_mm, dx: one.length_mm, weightG: weightG.get(one.cargo) ?? 0 })),
      length,
    ).map((grams) => Math.round(grams) / 1_000);
  return {
    containers: containers.map((one) => ({
      ...one,
      load_per_metre_kg: one.load_per_metre_kg ?? loads(one),
      limits: one.limits ?? [],
      out_of_gauge: one.out_of_gauge ?? null,
    })),
    left,
  };
}

/** Null if the cargo weighs nothing. The weight of a piece is in its middle. */
function centreOf(
  cargo: readonly CargoLine[],
  stacks: readonly Stack[],
  weightG: number,
): ContainerView["centre_of_gravity_mm"] {
  if (weightG === 0) return null;
  const moment = (middle: (stack: Stack) => number) =>
    stacks.reduce((sum, stack) => sum + middle(stack) * piecesOf(stack) * cargo[stack.item]!.weightG, 0);
  return {
    x: Math.round(moment(({ x, nx, pose }) => x + (nx * pose.dx) / 2) / weightG),
    y: Math.round(moment(middleAcross) / weightG),
    z: Math.round(moment(({ z, nz, pose }) => z + (nz * wholeOf(pose).dz) / 2) / weightG),
  };
}

/** Null: nothing stands out. */
function outOfGauge(stacks: readonly Stack[]): ContainerView["out_of_gauge"] {
  const beyond = stacks.filter(({ pose }) => pose.out !== undefined);
  if (beyond.length === 0) return null;
  return {
    pieces: beyond.reduce((sum, stack) => sum + piecesOf(stack), 0),
    over_height_mm: Math.max(...beyond.map(({ pose }) => pose.out!.top)),
    over_width_left_mm: Math.max(...beyond.map(({ pose }) => pose.out!.left)),
    over_width_right_mm: Math.max(...beyond.map(({ pose }) => pose.out!.right)),
  };
}

function middleAcross({ y, ny, pose }: Stack): number {
  return y - (pose.out?.left ?? 0) + (ny * wholeOf(pose).dy) / 2;
}

/** From the front wall to the door, each row from the floor up. */
function placementsOf(line: CargoLine, { pose, nx, ny, nz, x, y, z }: Stack): Placement[] {
  const { dx, dy, dz } = wholeOf(pose);
  const axis = axisOf(line, pose);
  return Array.from({ length: nx * ny * nz }, (_, at) => ({
    cargo: line.id,
    x_mm: x + Math.floor(at / (ny * nz)) * pose.dx,
    y_mm: y + (Math.floor(at / nz) % ny) * pose.dy - (pose.out?.left ?? 0),
    z_mm: z + (at % nz) * pose.dz,
    length_mm: dx,
    width_mm: dy,
    height_mm: dz,
    ...(axis === null ? {} : { cylinder_axis: axis }),
  }));
}

/** Null: a box. One that lies is not as long as it is wide, or it would stand. */
function axisOf({ heightMm }: CargoLine, pose: Pose): Edge | null {
  if (pose.round === undefined) return null;
  if (pose.round === "upright") return "height";
  return wholeOf(pose).dx === heightMm ? "length" : "width";
}
