/** The product's tag: its shipments are stored and its events raised under it. */
export const OCEAN_PRODUCT = "tracking";
