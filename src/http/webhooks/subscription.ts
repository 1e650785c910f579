import type { Product } from "../../model/product.ts";

/**
 * What a product makes of the names sent as `event_types` (spec 4.1, 6.1): those it does not offer are
 * dropped, those sent twice are kept once, in the order sent.
 */
export function subscriptionTo(product: Product, names: readonly string[]): readonly string[] {
  const offered = new Set(product.catalogue.filter((type) => type.subscribable).map((type) => type.name));
  return [...new Set(names)].filter((name) => offered.has(name));
}
