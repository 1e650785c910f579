/**
 * The pallets that pieces are built on. Those of EPAL have the measures of EPAL's own pages; the American one has the
 * largest that pages of its trade give, so that what is planned fits. Sources: docs/load-planning.md.
 */
import { grams } from "./measures.ts";
import type { SentPallet } from "./pallet-schema.ts";

export type Pallet = {
  readonly code: string;
  /** Of the deck, in whole millimetres. */
  readonly lengthMm: number;
  readonly widthMm: number;
  /** Empty. */
  readonly heightMm: number;
  readonly tareG: number;
  /** The most that stands on it. */
  readonly loadMaxG: number;
  /** With what stands on it. Null: as high as goes into a container. */
  readonly builtHeightMaxMm: number | null;
  /** How far pieces may stand out beyond each edge of the deck. */
  readonly overhangMm: number;
  /** Once built, other cargo may stand on it. */
  readonly stackable: boolean;
};

type Row = readonly [
  code: string,
  extents: readonly [number, number, number],
  kg: readonly [tare: number, load: number],
  aliases: readonly string[],
];

const ROWS: readonly Row[] = [
  ["EUR", [1_200, 800, 144], [25, 1_500], ["EUR1", "EPAL", "EPAL1", "EURO"]],
  ["EUR2", [1_200, 1_000, 162], [35, 1_250], ["EPAL2", "INDUSTRIAL"]],
  ["EUR3", [1_200, 1_000, 144], [30, 1_500], ["EPAL3"]],
  ["GMA", [1_220, 1_016, 166], [17, 1_133], ["CBA", "48X40"]],
];

/** The names that a request may give, and the codes that plans show. */
const TYPES: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => [row[0], ...row[3]].map((name) => [name, row] as const)),
);

export const PALLET_CODES: readonly string[] = ROWS.map(([code]) => code);

const MEASURES = ["length_mm", "width_mm", "height_mm", "tare_kg", "max_load_kg"] as const;

/** A text is the validation error. */
export function palletOf(sent: SentPallet): Pallet | string {
  const row = TYPES.get(sent.type.toUpperCase().replaceAll(/[\s_-]/g, ""));
  const lacking = MEASURES.filter((name) => sent[name] === undefined);
  if (row === undefined && lacking.length > 0) return lackingError(sent.type, lacking);
  const [code, extents, kg] = row ?? [sent.type, [0, 0, 0], [0, 0]];
  const heightMm = sent.height_mm ?? extents[2];
  const builtHeightMaxMm = sent.height_mm_max ?? null;
  if (builtHeightMaxMm !== null && builtHeightMaxMm <= heightMm) {
    return `.height_mm_max must be more than the ${heightMm} mm of the empty pallet, which it includes`;
  }
  return {
    code,
    lengthMm: sent.length_mm ?? extents[0],
    widthMm: sent.width_mm ?? extents[1],
    heightMm,
    tareG: grams(sent.tare_kg ?? kg[0], Math.ceil),
    loadMaxG: grams(sent.max_load_kg ?? kg[1], Math.floor),
    builtHeightMaxMm,
    overhangMm: sent.overhang_mm ?? 0,
    stackable: sent.stackable ?? false,
  };
}

function lackingError(type: string, lacking: readonly string[]): string {
  const known = PALLET_CODES.join(", ");
  return lacking.length === MEASURES.length
    ? `.type must be one of ${known}, or your own name for a pallet with ${MEASURES.join(", ")}`
    : ` lacks ${lacking.join(", ")}: ${type} is none of ${known}, so it needs all measures`;
}
