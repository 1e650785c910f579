/** A plan in the making: what the form holds, the request that it becomes, and the field that a refusal names. */
import type { BodyOf } from "@boathook/client";

import type { CargoSent, Loading } from "./answers.ts";

export const CLOSED_TYPES = ["20GP", "40GP", "40HC", "45HC", "20RF", "40RF"] as const;
/** Their cargo may stand out above. */
export const OPEN_TYPES = ["20OT", "40OT", "20FR", "40FR", "20PL", "40PL"] as const;
const TYPES = [...CLOSED_TYPES, ...OPEN_TYPES];
export type Type = (typeof TYPES)[number];
const USUAL: readonly Type[] = ["20GP", "40GP", "40HC"];

/** A cylinder has a diameter instead of a length and a width. */
type Measure = "diameter_mm" | "length_mm" | "width_mm" | "height_mm" | "weight_kg" | "count";
type Limit = "max_load_kg" | "layers_max" | "stop";

/** Numbers are as the reader types them; an empty one that may be missing is not sent. */
export type Line = Readonly<Record<"id" | Measure | Limit, string>> & {
  readonly key: number;
  readonly shape: Shape;
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
  readonly offCentre: Readonly<Record<"length" | "width", string>>;
  readonly lines: readonly Line[];
  /** Sent if a line is palletised. */
  readonly pallet: PalletDraft;
  readonly vehicle: VehicleDraft;
};

export type Over = Readonly<Record<"height" | "width", string>>;

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

/** As a reader chooses among them; the service knows the measures. */
export const PALLETS = [
  ["EUR", "EUR, 1,200 × 800 mm"],
  ["EUR2", "EUR2, 1,200 × 1,000 mm"],
  ["EUR3", "EUR3, 1,200 × 1,000 mm"],
  ["GMA", "GMA, 48 × 40 inches"],
  ["own", "Your own"],
] as const;

type Own = "name" | "length_mm" | "width_mm" | "height_mm" | "tare_kg";
type PalletLimit = "max_load_kg" | "height_mm_max" | "overhang_mm";

/**
 * Numbers are as the reader types them. The measures are of an own pallet; without a limit it bears what is usual for the
 * type, and is built as high as goes in.
 */
export type PalletDraft = Readonly<Record<Own | PalletLimit, string>> & {
  readonly type: (typeof PALLETS)[number][0];
  readonly stackable: boolean;
};

export function emptyPallet(): PalletDraft {
  const own = { name: "", length_mm: "", width_mm: "", height_mm: "", tare_kg: "" };
  const limits = { max_load_kg: "", height_mm_max: "", overhang_mm: "" };
  return { type: "EUR", ...own, ...limits, stackable: false };
}

function palletOf(pallet: PalletDraft): Loading["schemas"]["Pallet"] {
  return {
    ...(pallet.type === "own" ? ownOf(pallet) : { type: pallet.type }),
    ...given(pallet.max_load_kg, (max_load_kg) => ({ max_load_kg })),
    ...given(pallet.height_mm_max, (height_mm_max) => ({ height_mm_max })),
    ...given(pallet.overhang_mm, (overhang_mm) => ({ overhang_mm })),
    ...(pallet.stackable ? { stackable: true } : {}),
  };
}

function ownOf({ name, length_mm, width_mm, height_mm, tare_kg }: PalletDraft): Loading["schemas"]["Pallet"] {
  const extents = { length_mm: Number(length_mm), width_mm: Number(width_mm), height_mm: Number(height_mm) };
  return { type: name.trim(), ...extents, tare_kg: Number(tare_kg) };
}

export type VehicleKind = "none" | "lorry" | "trailer";

/** Numbers are as the reader types them. */
export type GroupDraft = Readonly<Record<"position_mm" | "tare_kg" | "max_kg", string>>;

export type VehicleDraft = {
  readonly kind: VehicleKind;
  readonly kingpin_mm: string;
  /** From the front: a lorry has the first two, a tractor with its trailer all three. */
  readonly groups: readonly GroupDraft[];
};

/** The groups of axles, by the names that a plan shows. */
export const GROUPS: Readonly<Record<Exclude<VehicleKind, "none">, readonly string[]>> = {
  lorry: ["front", "rear"],
  trailer: ["steering", "driving", "trailer"],
};

type Allowance = {
  readonly kind: VehicleKind;
  readonly name: string;
  /** Of each group, in kilograms. */
  readonly maxKg: readonly number[];
};

/**
 * The most that the law lets a group of axles carry. A vehicle's own plate may say less, and the law also bounds the whole.
 * Sources: docs/load-planning.md. US pounds are rounded down: 20,000 and 34,000.
 */
export const ALLOWANCES: readonly Allowance[] = [
  { kind: "lorry", name: "EU, 2 axles", maxKg: [10_000, 11_500] },
  { kind: "lorry", name: "EU, 3 axles", maxKg: [10_000, 18_000] },
  { kind: "lorry", name: "US, 3 axles", maxKg: [9_071, 15_422] },
  { kind: "trailer", name: "EU, 2 + 3 axles", maxKg: [10_000, 11_500, 24_000] },
  { kind: "trailer", name: "EU, 3 + 3 axles", maxKg: [10_000, 18_000, 24_000] },
  { kind: "trailer", name: "US, 3 + 2 axles", maxKg: [9_071, 15_422, 15_422] },
];

export function emptyVehicle(): VehicleDraft {
  const group = { position_mm: "", tare_kg: "", max_kg: "" };
  return { kind: "none", kingpin_mm: "", groups: [group, group, group] };
}

/** The groups that a vehicle of this kind has. */
export function groupsOf({ kind, groups }: VehicleDraft): readonly (readonly [string, GroupDraft])[] {
  if (kind === "none") return [];
  return GROUPS[kind].map((name, at) => [name, groups[at]!] as const);
}

export function withGroup(vehicle: VehicleDraft, at: number, part: Partial<GroupDraft>): VehicleDraft {
  const groups = vehicle.groups.map((group, index) => (index === at ? { ...group, ...part } : group));
  return { ...vehicle, groups };
}

/** Undefined: the limits are the reader's own. */
export function allowanceOf(vehicle: VehicleDraft): Allowance | undefined {
  const typed = groupsOf(vehicle).map(([, { max_kg }]) => Number(max_kg));
  return ALLOWANCES.find(({ kind, maxKg }) => kind === vehicle.kind && maxKg.join() === typed.join());
}

export function withAllowance(vehicle: VehicleDraft, { maxKg }: Allowance): VehicleDraft {
  const groups = vehicle.groups.map((group, at) => ({
    ...group,
    max_kg: String(maxKg[at] ?? group.max_kg),
  }));
  return { ...vehicle, groups };
}

function vehicleOf(vehicle: VehicleDraft): Loading["schemas"]["Vehicle"] {
  return {
    ...(vehicle.kind === "trailer" ? { kingpin_mm: Number(vehicle.kingpin_mm) } : {}),
    axle_groups: groupsOf(vehicle).map(([name, { position_mm, tare_kg, max_kg }]) => ({
      name,
      position_mm: Number(position_mm),
      tare_kg: Number(tare_kg),
      max_kg: Number(max_kg),
    })),
  };
}

/** Nothing if the field is empty. */
function given<T extends object>(typed: string | undefined, of: (value: number) => T): T | {} {
  return typed === undefined || typed.trim() === "" ? {} : of(Number(typed));
}
