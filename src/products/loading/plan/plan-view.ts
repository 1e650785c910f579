/** A load plan → what clients see: kilograms, shares, and every piece by itself. */
import { volumeOf, type CargoLine, type LoadRequest } from "../request/cargo.ts";
import type { LoadedContainer } from "../planning/container-filling.ts";
import type { LoadPlan } from "../planning/load-plan.ts";
import { boxesOf } from "../planning/pallets/built-pallet.ts";
import { piecesOf, wholeOf, type Stack } from "../planning/packing/item.ts";
import { isKept, limitsOf, type Limit } from "../planning/balance/limits.ts";
import { loadPerMetre } from "../planning/balance/line-load.ts";
import { weightOf } from "../planning/balance/sections.ts";
import type { RequestView } from "../request/request-schema.ts";
import {
  loadedPallets,
  palletBuilds,
  palletNumbers,
  placementOf,
  volumesOf,
  type PalletNumbers,
} from "./pallet-view.ts";
import type {
  LoadedPallet,
  ContainerView,
  KeptLimit,
  Placement,
  PlanDetail,
  PlanSummary,
} from "./plan-schema.ts";

export function planSummary(request: LoadRequest, plan: LoadPlan): PlanSummary {
  const { containers, left } = plan;
  const pieces = request.cargo.reduce((sum, { count }) => sum + count, 0);
  const piecesLeft = left.reduce((sum, { count }) => sum + count, 0);
  const byReason: PlanSummary["left_by_reason"] = {};
  for (const { reason, count } of left) byReason[reason] = (byReason[reason] ?? 0) + count;
  const byType = new Map<string, number>();
  for (const { choice } of containers) {
    byType.set(choice.type.code, (byType.get(choice.type.code) ?? 0) + 1);
  }
  const volumes = containers.map((container) => volumesOf(request, plan, container));
  const volume = volumes.reduce((sum, { inside }) => sum + inside, 0);
  const wholeVolume = volumes.reduce((sum, { whole }) => sum + whole, 0);
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

export function planDetail(request: LoadRequest, plan: LoadPlan): PlanDetail {
  const numbers = palletNumbers(request, plan);
  let pallets = 0;
  const containers = plan.containers.map((container, index) => {
    const view = containerView(request, plan, numbers, { container, number: index + 1, pallets });
    pallets += view.pallets.length;
    return view;
  });
  return {
    pallet_builds: [...palletBuilds(request, numbers)],
    containers,
    left: plan.left.map(({ line, count, reason }) => ({ cargo: request.cargo[line]!.id, count, reason })),
  };
}

/** To four decimals. */
function share(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}

type Numbered = {
  readonly container: LoadedContainer;
  readonly number: number;
  /** In the containers before. */
  readonly pallets: number;
};

function containerView(
  request: LoadRequest,
  plan: LoadPlan,
  numbers: PalletNumbers,
  { container, number, pallets: before }: Numbered,
): ContainerView {
  const { choice, stacks, weightG } = container;
  const { cargo } = plan.loaded;
  const { type } = choice;
  const weights = stacks.map((stack) => weightOf(cargo, stack));
  const inOrder = stacks.toSorted((a, b) => cargo[b.item]!.stop - cargo[a.item]!.stop);
  const pallets: LoadedPallet[] = [];
  const placements = inOrder.flatMap((stack) => {
    const pallet = plan.pallets[stack.item - request.cargo.length];
    if (pallet === undefined) return placementsOf(cargo[stack.item]!.id, stack);
    const build = numbers.buildOf.get(pallet)!;
    const found = loadedPallets(request, pallet, build, stack, before + pallets.length);
    pallets.push(...found.pallets);
    return found.placements;
  });
  return {
    number,
    type: type.code,
    length_mm: type.lengthMm,
    width_mm: type.widthMm,
    height_mm: type.heightMm,
    pieces: placements.length,
    volume_fill: share(volumesOf(request, plan, container).inside, volumeOf(type)),
    weight_kg: weightG / 1_000,
    max_payload_kg: type.payloadG / 1_000,
    gross_weight_kg: type.tareG === null ? null : (weightG + type.tareG) / 1_000,
    centre_of_gravity_mm: centreOf(cargo, stacks, weightG),
    load_per_metre_kg: loadPerMetre(weights, type.lengthMm).map((grams) => Math.round(grams) / 1_000),
    out_of_gauge: outOfGauge(stacks),
    limits: limitsOf(weights, type, request).map(limitView),
    pallets,
    placements,
  };
}

function limitView(limit: Limit): KeptLimit {
  return { ...limit, value: Math.round(limit.value * 10_000) / 10_000, kept: isKept(limit) };
}

type StoredDetail = {
  readonly containers: readonly (Omit<
    ContainerView,
    "load_per_metre_kg" | "limits" | "out_of_gauge" | "pallets"
  > &
    Partial<ContainerView>)[];
  readonly left: PlanDetail["left"];
  readonly pallet_builds?: PlanDetail["pallet_builds"];
};

/** A plan made before there were limits says what each metre carries, and has no limits. */
export function storedPlanDetail({ cargo }: RequestView, stored: StoredDetail): PlanDetail {
  const { containers, left, pallet_builds: builds = [] } = stored;
  const weightG = new Map(cargo.map(({ id, weight_kg }) => [id, weight_kg * 1_000]));
  const loads = ({ placements, length_mm: length }: StoredDetail["containers"][number]) =>
    loadPerMetre(
      placements.map((one) => ({ x: one.x_mm, dx: one.length_mm, weightG: weightG.get(one.cargo) ?? 0 })),
      length,
    ).map((grams) => Math.round(grams) / 1_000);
  return {
    pallet_builds: builds,
    containers: containers.map((one) => ({
      ...one,
      pallets: one.pallets ?? [],
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
function placementsOf(id: string, stack: Stack): readonly Placement[] {
  return boxesOf([stack]).map((box) => placementOf(id, box));
}
