/** The product's tag: its waybills are stored and its events raised under it. */
export const AIR_PRODUCT = "air";

/** What an account needs to have waybills tracked (spec 5: entitlements). */
export const AIR_ENTITLEMENT = "aircargo";

/**
 * What a prefix's waybills are stored under for polling; no carrier of another product has its name. Which of them
 * are one airline's is up to the airlines file, and may change.
 */
export function sourceQueueOf(prefix: string): string {
  return `${AIR_PRODUCT}:${prefix}`;
}
