/** A request as it is kept and shown with its plan: in the client's units, with all defaults. */
import type { CargoLine, ContainerChoice, LoadRequest } from "./cargo.ts";
import type { CargoView, ContainerChoiceView, RequestView } from "./request-schema.ts";

export function requestView({ name, cargo, containers }: LoadRequest): RequestView {
  return { name, cargo: cargo.map(cargoView), containers: containers.map(choiceView) };
}

function cargoView({ id, lengthMm, widthMm, heightMm, weightG, upright, ...line }: CargoLine): CargoView {
  return {
    id,
    length_mm: lengthMm,
    width_mm: widthMm,
    height_mm: heightMm,
    weight_kg: weightG / 1_000,
    count: line.count,
    stackable: line.stackable,
    upright: [...upright],
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
