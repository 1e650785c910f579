/** All that an airline says of one waybill, and what of it can be heard at a moment. */
import type { Outage } from "../world/answer.ts";
import type { Report } from "./reporting.ts";
import type { Waybill } from "./waybill.ts";

export type Life = {
  readonly waybill: Waybill;
  /** In the order in which it is said. */
  readonly reports: readonly Report[];
  /** When the airline's source does not answer. */
  readonly outages: readonly Outage[];
};

/** What its source answers. Null: it does not answer. Empty: it does not know the waybill, or cannot be asked. */
export function answeredAt({ waybill, reports, outages }: Life, atMs: number): readonly Report[] | null {
  if (waybill.airline.protocol === "fsu") return [];
  if (outages.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)) return null;
  const said = reports.filter(({ reportedMs }) => reportedMs <= atMs);
  const newestMs = said.at(-1)?.reportedMs;
  if (waybill.airline.answers === "latest") return said.filter(({ reportedMs }) => reportedMs === newestMs);
  const last = new Map(said.map((saying) => [saying.key, saying.milestone]));
  return said.filter(({ key, milestone }) => last.get(key) === milestone);
}

/** Each a message of its own. Messages tell what happened, and not what is to come. */
export function pushedReports({ waybill: { airline }, reports }: Life): readonly Report[] {
  if (airline.protocol !== "fsu" && !airline.alsoPushes) return [];
  return reports.filter(({ planned }) => !planned);
}

/** Messages are kept until the next poll. `afterMs` is the time of the poll before. */
export function pushedReportsBetween(life: Life, afterMs: number, atMs: number): readonly Report[] {
  return pushedReports(life).filter(({ reportedMs }) => reportedMs > afterMs && reportedMs <= atMs);
}

/** When something new can be heard, and at first; each once, in order. */
export function reportTimes({ reports, outages }: Life, fromMs: number): readonly number[] {
  const moments = [
    fromMs,
    ...reports.map(({ reportedMs }) => reportedMs),
    ...outages.map(({ untilMs }) => untilMs),
  ];
  return [...new Set(moments.filter((ms) => ms >= fromMs))].toSorted((a, b) => a - b);
}
