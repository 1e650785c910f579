/** Which limits of weight a container keeps: where the cargo's centre of gravity is, what a metre carries, and each axle. */
import type { ContainerType } from "../../request/container-types.ts";
import type { LoadRequest, Vehicle } from "../../request/cargo.ts";
import { mostOnAMetre, type Weight } from "./line-load.ts";

/** A weight, with its place across the container. */
export type PlacedWeight = Weight & { readonly y: number; readonly dy: number };

export const LIMIT_NAMES = [
  "off_centre_length",
  "off_centre_width",
  "line_load_kg_m",
  "axle_load_kg",
] as const;

export type Limit = {
  readonly limit: (typeof LIMIT_NAMES)[number];
  readonly value: number;
  readonly max: number;
  /** Of an axle load only: the name of the group. */
  readonly axle_group?: string;
};

/** Of a millionth of the limit: sums of parts are not exact. */
const ROUNDING = 1 + 1e-6;

export function isKept({ value, max }: Limit): boolean {
  return value <= max * ROUNDING + 1e-9;
}

export type LoadLimits = Pick<LoadRequest, "offCentreMax" | "vehicle">;

/** Only limits that are set; none for cargo that weighs nothing. */
export function limitsOf(
  weights: readonly PlacedWeight[],
  type: ContainerType,
  { offCentreMax, vehicle }: LoadLimits,
): readonly Limit[] {
  const total = weights.reduce((sum, { weightG }) => sum + weightG, 0);
  if (total === 0) return [];
  const limits: Limit[] = [];
  if (offCentreMax !== null) {
    const moment = (of: (weight: PlacedWeight) => number) =>
      weights.reduce((sum, weight) => sum + of(weight) * weight.weightG, 0) / total;
    const along = moment(({ x, dx }) => x + dx / 2) / type.lengthMm - 0.5;
    const across = moment(({ y, dy }) => y + dy / 2) / type.widthMm - 0.5;
    limits.push({ limit: "off_centre_length", value: Math.abs(along), max: offCentreMax.length });
    limits.push({ limit: "off_centre_width", value: Math.abs(across), max: offCentreMax.width });
  }
  if (type.lineLoadG !== null) {
    limits.push({
      limit: "line_load_kg_m",
      value: mostOnAMetre(weights) / 1_000,
      max: type.lineLoadG / 1_000,
    });
  }
  return vehicle === null ? limits : [...limits, ...axleLimits(vehicle, weights, type)];
}

/** With the tare of the container in its middle. */
function axleLimits(
  vehicle: Vehicle,
  weights: readonly PlacedWeight[],
  { tareG, lengthMm }: ContainerType,
): readonly Limit[] {
  const tare = { x: 0, dx: lengthMm, weightG: tareG ?? 0 };
  const all: readonly Weight[] = [...weights, tare];
  const weightG = all.reduce((sum, one) => sum + one.weightG, 0);
  const moment = all.reduce((sum, { x, dx, weightG: own }) => sum + (x + dx / 2) * own, 0);
  return axleLoadsG(vehicle, weightG, moment).map((load, at) => {
    const { name, maxG } = vehicle.axleGroups[at]!;
    return { limit: "axle_load_kg", value: load / 1_000, max: maxG / 1_000, axle_group: name };
  });
}

/** In the order of the groups. `momentGmm`: of the weight, about the front wall. */
function axleLoadsG(
  { kingpinMm, axleGroups }: Vehicle,
  weightG: number,
  momentGmm: number,
): readonly number[] {
  const [front, rear, trailer] = axleGroups;
  const onTrailer =
    trailer === undefined || kingpinMm === null
      ? 0
      : (momentGmm - kingpinMm * weightG) / (trailer.positionMm - kingpinMm);
  const left = weightG - onTrailer;
  const leftMoment = trailer === undefined ? momentGmm : left * (kingpinMm ?? 0);
  const onRear = (leftMoment - front!.positionMm * left) / (rear!.positionMm - front!.positionMm);
  return [left - onRear, onRear, onTrailer]
    .slice(0, axleGroups.length)
    .map((load, at) => load + axleGroups[at]!.tareG);
}
