/** A request as it is kept and shown with its plan: in the client's units, with all defaults. */
import type { CargoLine, ContainerChoice, LoadRequest, Vehicle } from "./cargo.ts";
import type { Pallet } from "./pallet-types.ts";
import type { CargoView, ContainerChoiceView, RequestView } from "./request-schema.ts";

export function requestView({ name, cargo, containers, pallet, ...limits }: LoadRequest): RequestView {
  return {
    name,
    cargo: cargo.map(cargoView),
    containers: containers.map(choiceView),
    max_off_centre: limits.offCentreMax,
    vehicle: limits.vehicle === null ? null : vehicleView(limits.vehicle),
    pallet: pallet === null ? null : palletView(pallet),
  };
}

function palletView({
  code,
  lengthMm,
  widthMm,
  heightMm,
  ...pallet
}: Pallet): NonNullable<RequestView["pallet"]> {
  return {
    type: code,
    length_mm: lengthMm,
    width_mm: widthMm,
    height_mm: heightMm,
    tare_kg: pallet.tareG / 1_000,
    max_load_kg: pallet.loadMaxG / 1_000,
    height_mm_max: pallet.builtHeightMaxMm,
    overhang_mm: pallet.overhangMm,
    stackable: pallet.stackable,
  };
}

function vehicleView({ kingpinMm, axleGroups }: Vehicle): NonNullable<RequestView["vehicle"]> {
  return {
    kingpin_mm: kingpinMm,
    axle_groups: axleGroups.map(({ name, positionMm, tareG, maxG }) => ({
      name,
      position_mm: positionMm,
      tare_kg: tareG / 1_000,
      max_kg: maxG / 1_000,
    })),
  };
}

type StoredRequest = Pick<RequestView, "name" | "cargo" | "containers"> & Partial<RequestView>;

/** A request of a plan made before there were limits has none of them. */
export function storedRequestView({ cargo, containers, ...stored }: StoredRequest): RequestView {
  return {
    max_off_centre: null,
    vehicle: null,
    pallet: null,
    ...stored,
    cargo: cargo.map((line) => ({ ...BOX, ...NO_CARGO_LIMITS, ...line })),
    containers: containers.map((choice) => ({ ...NO_CONTAINER_LIMITS, ...choice })),
  };
}

/** Before there were cylinders, everything was a box. */
const BOX = { shape: "box" as const, diameter_mm: null, lying: false };
const NO_CARGO_LIMITS = { max_load_kg: null, layers_max: null, stop: 1, palletised: false };
const NO_CONTAINER_LIMITS = {
  open: [],
  max_over_height_mm: null,
  max_over_width_mm: null,
  max_line_load_kg_m: null,
};

function cargoView({ id, lengthMm, widthMm, heightMm, weightG, upright, ...line }: CargoLine): CargoView {
  const isCylinder = line.shape === "cylinder";
  return {
    id,
    shape: line.shape,
    length_mm: lengthMm,
    width_mm: widthMm,
    height_mm: heightMm,
    diameter_mm: isCylinder ? lengthMm : null,
    lying: isCylinder && upright.length > 1,
    weight_kg: weightG / 1_000,
    count: line.count,
    stackable: line.stackable,
    max_load_kg: line.maxLoadG === null ? null : line.maxLoadG / 1_000,
    layers_max: line.layersMax,
    stop: line.stop,
    upright: [...upright],
    turnable: line.turnable,
    palletised: line.palletised,
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
    open: [...type.open],
    max_over_height_mm: type.overHeightMaxMm,
    max_over_width_mm: type.overWidthMaxMm,
    max_line_load_kg_m: type.lineLoadG === null ? null : type.lineLoadG / 1_000,
  };
}
