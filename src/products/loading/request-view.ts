/** A request for a plan as clients write it, with all that they may leave out; it is kept and shown with the plan. */
import type { CargoLine, ContainerChoice, Edge, LoadRequest } from "./cargo.ts";

export type CargoView = {
  readonly id: string;
  readonly length_mm: number;
  readonly width_mm: number;
  readonly height_mm: number;
  readonly weight_kg: number;
  readonly count: number;
  readonly stackable: boolean;
  readonly upright: readonly Edge[];
  readonly turnable: boolean;
};

export type ContainerChoiceView = {
  readonly type: string;
  readonly count: number | null;
  readonly cost: number | null;
  readonly length_mm: number;
  readonly width_mm: number;
  readonly height_mm: number;
  readonly door_width_mm: number;
  readonly door_height_mm: number;
  readonly max_payload_kg: number;
  readonly tare_kg: number | null;
};

export type RequestView = {
  readonly name: string | null;
  readonly cargo: readonly CargoView[];
  readonly containers: readonly ContainerChoiceView[];
};

export function requestView({ name, cargo, containers }: LoadRequest): RequestView {
  return { name, cargo: cargo.map(cargoView), containers: containers.map(choiceView) };
}

function cargoView(line: CargoLine): CargoView {
  return {
    id: line.id,
    length_mm: line.lengthMm,
    width_mm: line.widthMm,
    height_mm: line.heightMm,
    weight_kg: line.weightG / 1_000,
    count: line.count,
    stackable: line.stackable,
    upright: line.upright,
    turnable: line.turnable,
  };
}

function choiceView({ type, count, cost }: ContainerChoice): ContainerChoiceView {
  return {
    type: type.code,
    count,
    cost,
    length_mm: type.lengthMm,
    width_mm: type.widthMm,
    height_mm: type.heightMm,
    door_width_mm: type.doorWidthMm,
    door_height_mm: type.doorHeightMm,
    max_payload_kg: type.payloadG / 1_000,
    tare_kg: type.tareG === null ? null : type.tareG / 1_000,
  };
}
