/**
 * The call of the record of schedules from which a box is to sail. Both are carriers' words and neither names the
 * other: no call is better than a wrong one. Vessels must not differ, nor voyage numbers, which carriers write with
 * and without a suffix; where only one of both is known, the times must be near as well.
 */
import type { ScheduledCall } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import type { Vessel } from "../sources/carrier-event.ts";
import type { BoxRecord, Sailing } from "../record/shipment-record.ts";
import { isSameVoyage, plainName, plainVoyage } from "../timeline/vessel-names.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Null: the record has no such call, or more than one that it may be. */
export type FindScheduledCall = (box: BoxRecord, sailing: Sailing) => ScheduledCall | null;

/** Nothing is known of any. */
export const NO_SCHEDULE: FindScheduledCall = () => null;

/** One vessel on one voyage calls at a port once within this time, however far the call has moved. */
const VOYAGE_MS_MAX = 30 * DAY_MS;
/** Without a voyage, or without a vessel: vessels come again after a week. */
const NEAR_MS_MAX = 3 * DAY_MS;
/** Of two calls the nearer one is meant only if it is nearer by so much. */
const NEARER_MS_MIN = 2 * DAY_MS;

/** How the box's carrier names the sailing. */
export type SailingNames = Pick<Sailing, "voyage" | "promisedMs" | "expectedMs"> & {
  readonly vessel: Vessel | null;
};

export function matchingCall(sailing: SailingNames, calls: readonly ScheduledCall[]): ScheduledCall | null {
  const found = calls.flatMap((call) => {
    const vessel = vesselsAgree(sailing.vessel, call.vessel);
    const voyage = voyagesAgree(sailing.voyage, call.voyage);
    if (vessel === "differ" || voyage === "differ") return [];
    if (vessel === "unknown" && voyage === "unknown") return [];
    const isWhole = vessel === "same" && voyage === "same";
    const apartMs = timeApartMs(sailing, call);
    return apartMs <= (isWhole ? VOYAGE_MS_MAX : NEAR_MS_MAX) ? [{ call, isWhole, apartMs }] : [];
  });
  const whole = found.filter(({ isWhole }) => isWhole);
  const [first, second] = (whole.length > 0 ? whole : found).toSorted((a, b) => a.apartMs - b.apartMs);
  if (first === undefined) return null;
  return second === undefined || second.apartMs - first.apartMs >= NEARER_MS_MIN ? first.call : null;
}

type Agreement = "same" | "differ" | "unknown";

function agreement<T>(a: T | null, b: T | null, isSame: (a: T, b: T) => boolean): Agreement {
  if (a === null || b === null) return "unknown";
  return isSame(a, b) ? "same" : "differ";
}

function vesselsAgree(a: Vessel | null, b: Vessel): Agreement {
  const byNumber = agreement(a?.imo ?? null, b.imo, (one, other) => one === other);
  if (byNumber !== "unknown") return byNumber;
  return agreement(plainName(a?.name ?? null), plainName(b.name), (one, other) => one === other);
}

function voyagesAgree(a: string | null, b: string | null): Agreement {
  return agreement(plainVoyage(a), plainVoyage(b), isSameVoyage);
}

/** As it is, or as it was promised. */
function timeApartMs({ expectedMs, promisedMs }: SailingNames, { departuresMs }: ScheduledCall): number {
  const from = (ms: number) => Math.min(...departuresMs.map((departure) => Math.abs(departure - ms)));
  return Math.min(from(expectedMs), from(promisedMs));
}
