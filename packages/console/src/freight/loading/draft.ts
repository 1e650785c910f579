/** A plan in the making: what the form holds, the request that it becomes, and the field that a refusal names. */
import type { BodyOf } from "@boathook/client";

import type { CargoSent, Loading } from "./answers.ts";
import { given } from "./typed.ts";
import { emptyPallet, palletOf, type PalletDraft } from "./pallet-draft.ts";
import { emptyVehicle, vehicleOf, type VehicleDraft } from "./vehicle-draft.ts";

export const CLOSED_TYPES = ["20GP", "40GP", "40HC", "45HC", "20RF", "40RF"] as const;
/** Their cargo may stand out above. */
export const OPEN_TYPES = ["20OT", "40OT", "20FR", "40FR", "20PL", "40PL"] as const;
const TYPES = [...CLOSED_TYPES, ...OPEN_TYPES];
export type Type = (typeof TYPES)[number];
const USUAL: readonly Type[] = ["20GP", "40GP", "40HC"];

/** Numbers are as the reader types them; an empty one that may be missing is not sent. */
export type Line = {
  readonly key: number;
  readonly id: string;
  /** A cylinder has a diameter instead of a length and a width. */
  readonly shape: Shape;
  readonly diameter_mm: string;
  readonly length_mm: string;
  readonly width_mm: string;
  readonly height_mm: string;
  readonly weight_kg: string;
  readonly count: string;
  readonly max_load_kg: string;
  readonly layers_max: string;
  readonly stop: string;
  readonly stackable: boolean;
  /** A box on any side, a cylinder on its round one. */
  readonly mayTip: boolean;
  readonly palletised: boolean;
};

export type Shape = "box" | "cylinder";

export type Draft = {
  readonly name: string;
  readonly types: readonly Type[];
  /** The most on a metre of each type, in kilograms. */
  readonly lineLoads: Readonly<Partial<Record<Type, string>>>;
  /** How far cargo may stand out of each open type, in millimetres. */
  readonly overs: Readonly<Partial<Record<Type, Over>>>;
  /** Without it, the centre of gravity may be anywhere. */
  readonly isCentred: boolean;
  /** In per cent. */
  readonly offCentre: { readonly length: string; readonly width: string };
  readonly lines: readonly Line[];
  /** Sent if a line is palletised. */
  readonly pallet: PalletDraft;
  readonly vehicle: VehicleDraft;
};

export type Over = { readonly height: string; readonly width: string };

const NO_OVER: Over = { height: "", width: "" };

export function emptyLine(key: number): Line {
  const shape = { shape: "box" as const, diameter_mm: "" };
  const measures = { ...shape, length_mm: "", width_mm: "", height_mm: "", weight_kg: "", count: "1" };
  const limits = { max_load_kg: "", layers_max: "", stop: "" };
  return { key, id: "", ...measures, ...limits, stackable: true, mayTip: false, palletised: false };
}

export function emptyDraft(): Draft {
  const offCentre = { length: "", width: "" };
  const types = { types: USUAL, lineLoads: {}, overs: {} };
  const built = { pallet: emptyPallet(), vehicle: emptyVehicle() };
  return { name: "", ...types, isCentred: true, offCentre, lines: [emptyLine(0)], ...built };
}

/** Flat racks and platforms, whose cargo may also stand out beside them. */
export function hasOpenSides(type: Type): boolean {
  return /FR|PL/.test(type);
}

export function overOf({ overs }: Pick<Draft, "overs">, type: Type): Over {
  return overs[type] ?? NO_OVER;
}

export function isPalletised({ lines }: Pick<Draft, "lines">): boolean {
  return lines.some(({ palletised }) => palletised);
}

/** In the order of the request, which a refusal counts by. */
export function chosenTypes({ types }: Pick<Draft, "types">): readonly Type[] {
  return TYPES.filter((type) => types.includes(type));
}

export function bodyOf(draft: Draft): BodyOf<Loading, "POST /v1/plans"> {
  const { name, lineLoads, isCentred, offCentre, lines, pallet, vehicle } = draft;
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    cargo: lines.map(cargoOf),
    containers: chosenTypes(draft).map((type) => ({
      type,
      ...given(lineLoads[type], (max_line_load_kg_m) => ({ max_line_load_kg_m })),
      ...given(overOf(draft, type).height, (max_over_height_mm) => ({ max_over_height_mm })),
      ...given(overOf(draft, type).width, (max_over_width_mm) => ({ max_over_width_mm })),
    })),
    max_off_centre: isCentred
      ? {
          ...given(offCentre.length, (percent) => ({ length: percent / 100 })),
          ...given(offCentre.width, (percent) => ({ width: percent / 100 })),
        }
      : null,
    ...(vehicle.kind === "none" ? {} : { vehicle: vehicleOf(vehicle) }),
    ...(isPalletised(draft) ? { pallet: palletOf(pallet) } : {}),
  };
}

function cargoOf(line: Line): CargoSent {
  return {
    ...(line.id === "" ? {} : { id: line.id }),
    ...measuresOf(line),
    height_mm: Number(line.height_mm),
    weight_kg: Number(line.weight_kg),
    count: Number(line.count),
    ...given(line.max_load_kg, (max_load_kg) => ({ max_load_kg })),
    ...given(line.layers_max, (layers_max) => ({ layers_max })),
    ...given(line.stop, (stop) => ({ stop })),
    stackable: line.stackable,
    ...(line.palletised ? { palletised: true } : {}),
  };
}

function measuresOf({ shape, mayTip, ...line }: Line) {
  if (shape === "cylinder") return { shape, diameter_mm: Number(line.diameter_mm), lying: mayTip };
  const upright: CargoSent["upright"] = mayTip ? ["length", "width", "height"] : ["height"];
  return { length_mm: Number(line.length_mm), width_mm: Number(line.width_mm), upright };
}

export type Refusal = {
  /** As the service names it: `cargo[1].id`. Null: no field of the form has it. */
  readonly field: string | null;
  readonly message: string;
};

const OF_A_FIELD = /^body\.([\w.[\]]+) (.+)$/is;

/** The fields that the form has: a refusal may name others. */
const FIELDS: readonly RegExp[] = [
  /^name$/,
  /^max_off_centre\.(?:length|width)$/,
  /^containers\[\d+\]\.max_(?:line_load_kg_m|over_height_mm|over_width_mm)$/,
  /^cargo\[\d+\]\.(?:id|diameter_mm|length_mm|width_mm|height_mm|weight_kg|count|max_load_kg|layers_max|stop)$/,
  /^pallet\.(?:type|length_mm|width_mm|height_mm|tare_kg|max_load_kg|height_mm_max|overhang_mm)$/,
  /^vehicle\.(?:kingpin_mm|axle_groups\[\d\]\.(?:position_mm|tare_kg|max_kg))$/,
];

/** Where the form shows what the service says. */
export function refusalOf(message: string): Refusal {
  const [, field = "", problem = ""] = OF_A_FIELD.exec(message) ?? [];
  if (!FIELDS.some((known) => known.test(field))) return { field: null, message };
  return { field, message: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}` };
}
