/** The stored basket of an index: its lanes, their weights, and their prices on the base date. */
import type { StoredIndex } from "../store/rate-indices.ts";
import type { WeightedLane } from "./definition.ts";

/** `basePrice` in minor units. */
export type BasketLane = WeightedLane & { readonly basePrice: bigint };

type StoredLane = readonly [
  origin: string,
  destination: string,
  equipment: string,
  carrier: string | null,
  weight: string,
  basePrice: string,
];

export function basketText(basket: readonly BasketLane[]): string {
  const stored = basket.map(({ lane, weight, basePrice }): StoredLane => {
    const { origin, destination, equipment, carrier } = lane;
    return [origin, destination, equipment, carrier, weight.toString(), basePrice.toString()];
  });
  return JSON.stringify(stored);
}

export function basketOf({
  basket,
  currency,
}: Pick<StoredIndex, "basket" | "currency">): readonly BasketLane[] {
  const stored = JSON.parse(basket) as readonly StoredLane[];
  return stored.map(([origin, destination, equipment, carrier, weight, basePrice]) => ({
    lane: { origin, destination, equipment, carrier, currency },
    weight: BigInt(weight),
    basePrice: BigInt(basePrice),
  }));
}
