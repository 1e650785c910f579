/** All that an airline says of one waybill, and what of it can be heard at a moment. */
import type { Outage } from "../world/answer.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
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
  const untilMs = atMs - waybill.airline.answersLagMinutes * MINUTE_MS;
  const said = reports.filter(({ reportedMs }) => reportedMs <= untilMs);
  const newestMs = said.at(-1)?.reportedMs;
  if (waybill.airline.answers === "latest") return said.filter(({ reportedMs }) => reportedMs === newestMs);
  const last = new Map(said.map((saying) => [saying.key, saying.milestone]));
  return said.filter(
    ({ key, milestone, withdrawnMs }) =>
      last.get(key) === milestone && (withdrawnMs === null || withdrawnMs > untilMs),
  );
}

/** Each a message: all that is said at once. Messages tell what happened, and not what is to come. */
export function pushedMessages({ waybill: { airline }, reports }: Life): readonly (readonly Report[])[] {
  if (airline.protocol !== "fsu" && !airline.alsoPushes) return [];
  const pushed = reports.filter(({ planned }) => !planned);
  return [...Map.groupBy(pushed, ({ reportedMs }) => reportedMs).values()];
}

/** Messages are kept until the next poll. `afterMs` is the time of the poll before. */
export function pushedMessagesBetween(
  life: Life,
  afterMs: number,
  atMs: number,
): readonly (readonly Report[])[] {
  return pushedMessages(life).filter(([first]) => first!.reportedMs > afterMs && first!.reportedMs <= atMs);
}

/** When something new can be heard or something said becomes true, and at first; each once, in order. */
export function reportTimes({ waybill, reports, outages }: Life, fromMs: number): readonly number[] {
  const said = reports.flatMap(({ reportedMs, withdrawnMs }) => [reportedMs, withdrawnMs ?? reportedMs]);
  const moments = [
    fromMs,
    ...said,
    ...said.map((ms) => ms + waybill.airline.answersLagMinutes * MINUTE_MS),
    ...reports.filter(isToCome).map(({ milestone }) => milestone.atMs),
    ...outages.map(({ untilMs }) => untilMs),
  ];
  // Messages of one text are read at once.
  return [...new Set(moments.map(Math.ceil).filter((ms) => ms >= fromMs))].toSorted((a, b) => a - b);
}

/** Clocks and zones explain no more. */
const AHEAD_MS_MAX = 15 * HOUR_MS;
/** Their time is the flight's. */
const FLIGHT_TIMED: readonly string[] = ["BKD", "PRE", "MAN"];

/** Said to have happened long after it is said. `saidMs`: when it was heard first, where that is later. */
export function isDatedAhead({ milestone, planned, reportedMs }: Report, saidMs = reportedMs): boolean {
  if (planned || milestone.code === "TRM" || FLIGHT_TIMED.includes(milestone.code)) return false;
  return milestone.atMs > saidMs + AHEAD_MS_MAX;
}

/** Counts, or counts for more, from its time on. */
export function isToCome(report: Report): boolean {
  const { code, atMs } = report.milestone;
  return isDatedAhead(report) || (code === "MAN" && atMs > report.reportedMs);
}
