/** The pallet that pieces are built on first, as the form holds it. */
import type { Loading } from "@boathook/client";
import { given } from "./typed.ts";

/** As a reader chooses among them; the service knows the measures. */
export const PALLETS = [
  ["EUR", "EUR, 1,200 × 800 mm"],
  ["EUR2", "EUR2, 1,200 × 1,000 mm"],
  ["EUR3", "EUR3, 1,200 × 1,000 mm"],
  ["GMA", "GMA, 48 × 40 inches"],
  ["own", "Your own"],
] as const;

export type PalletType = (typeof PALLETS)[number][0];

/** Numbers are as the reader types them. */
export type PalletDraft = {
  readonly type: PalletType;
  /** Measures of an own pallet. */
  readonly name: string;
  readonly length_mm: string;
  readonly width_mm: string;
  readonly height_mm: string;
  readonly tare_kg: string;
  /** Empty: as is usual for the type. */
  readonly max_load_kg: string;
  /** Empty: as high as goes in. */
  readonly height_mm_max: string;
  readonly overhang_mm: string;
  readonly stackable: boolean;
};

export function emptyPallet(): PalletDraft {
  const own = { name: "", length_mm: "", width_mm: "", height_mm: "", tare_kg: "" };
  const limits = { max_load_kg: "", height_mm_max: "", overhang_mm: "" };
  return { type: "EUR", ...own, ...limits, stackable: false };
}

export function palletOf(pallet: PalletDraft): Loading["schemas"]["Pallet"] {
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
