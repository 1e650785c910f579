/** An answer's parts: one for each vessel on a round, so many of them on a page. */
import type { LinerFeed } from "./carriers.ts";
import type { CallReport } from "./reporting.ts";

/** The reports of the calls of one vessel on one round voyage, in their order. */
export type VesselSchedule = readonly CallReport[];

export function vesselSchedulesOf(reports: readonly CallReport[]): readonly VesselSchedule[] {
  const sheets = Map.groupBy(
    reports,
    ({ call, vessel }) => `${call.service} ${call.roundVoyage} ${vessel.name}`,
  );
  return [...sheets.values()];
}

export function pageOf(
  sheets: readonly VesselSchedule[],
  { pageVessels }: LinerFeed,
  page: number,
): readonly VesselSchedule[] {
  return sheets.slice(page * pageVessels, (page + 1) * pageVessels);
}
