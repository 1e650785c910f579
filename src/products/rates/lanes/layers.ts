/** The layers of a lane's rates (docs/rates.md; docs/decisions/rates-layers.md). */
import { mustBe, textOf, type ReadField } from "../../../freight/tables/field.ts";

/** In the order in which the store numbers them: where both have a rate on a day, the higher one holds. */
export const LAYERS = ["standard", "promotion"] as const;

export type Layer = (typeof LAYERS)[number];

/** What rate sheets call a promotion. */
const SPELLINGS: ReadonlyMap<string, Layer> = new Map([
  ["standard", "standard"],
  ["promotion", "promotion"],
  ["promo", "promotion"],
  ["bullet", "promotion"],
]);

export const readLayer: ReadField<Layer> = (written) => {
  const layer = SPELLINGS.get(textOf(written)?.toLowerCase() ?? "standard");
  if (layer === undefined) throw mustBe("standard or promotion, or left out for standard", written);
  return layer;
};

export function layerNumber(layer: Layer): number {
  return LAYERS.indexOf(layer);
}

export function layerOf(stored: number): Layer {
  return LAYERS[stored]!;
}
