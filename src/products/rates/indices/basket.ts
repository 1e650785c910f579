/** The stored basket of an index: its lanes, their weights, and their prices on the base date. */
import type { StoredIndex } from "../store/rate-indices.ts";
import type { WeightedLane } from "./definition.ts";

/** `basePrice` in minor units of the lane's currency. */
export type BasketLane = WeightedLane & { readonly basePrice: bigint };

type StoredLane = readonly [
  origin: string,
  destination: string,
  equipment: string,
  carrier: string | null,
  weight: string,
  basePrice: string,
  /** Left out where the lane has the currency of the index. */
  currency?: string,
];

export function basketText(basket: readonly BasketLane[], indexCurrency: string): string {
  const stored = basket.map(({ lane, weight, basePrice }): StoredLane => {
    const { origin, destination, equipment, carrier, currency } = lane;
    const own = [origin, destination, equipment, carrier, weight.toString(), basePrice.toString()] as const;
    return currency === indexCurrency ? own : [...own, currency];
  });
  return JSON.stringify(stored);
}

export function basketOf({
  basket,
  currency: indexCurrency,
}: Pick<StoredIndex, "basket" | "currency">): readonly BasketLane[] {
  const stored = JSON.parse(basket) as readonly StoredLane[];
  return stored.map(([origin, destination, equipment, carrier, weight, basePrice, own]) => ({
    lane: { origin, destination, equipment, carrier, currency: own ?? indexCurrency },
    weight: BigInt(weight),
    basePrice: BigInt(basePrice),
  }));
}
