/** An answer's parts: one for each vessel on a round, so many of them on a page. */
import type { LinerFeed } from "./carriers.ts";
import type { Said } from "./telling.ts";

/** What is said of the calls of one vessel on one round, in their order. */
export type Sheet = readonly Said[];

export function sheetsOf(said: readonly Said[]): readonly Sheet[] {
  const sheets = Map.groupBy(said, ({ call, vessel }) => `${call.service} ${call.round} ${vessel.name}`);
  return [...sheets.values()];
}

export function pageOf(sheets: readonly Sheet[], { pageVessels }: LinerFeed, page: number): readonly Sheet[] {
  return sheets.slice(page * pageVessels, (page + 1) * pageVessels);
}
