/** The vehicle that carries each container on the road, as the form holds it, and what laws of the road allow. */
import type { Loading } from "@boathook/client";

export type VehicleKind = "none" | "lorry" | "trailer";

export type GroupField = "position_mm" | "tare_kg" | "max_kg";
/** Numbers are as the reader types them. */
export type GroupDraft = Readonly<Record<GroupField, string>>;

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

export function vehicleOf(vehicle: VehicleDraft): Loading["schemas"]["Vehicle"] {
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
