/**
 * The truth about a waybill: the statuses and events that spec 6.4 calls for, given what its airline says and
 * when, for a service that reads it at given moments: right after every change, unless said otherwise. It is derived
 * from what happens, each event known by itself, and not from the messages, so that it can be compared with
 * what the service makes of them.
 *
 * - accepted: received from the shipper or another carrier (RCS, RCT)
 * - in_transit: departed, or at a station on the way; TRM only announces
 * - arrived: at the destination by ARR or RCF, or handed out, the first part of it
 * - available: notified there, or received and cleared there
 * - delivered: what was handed out, each delivery once, adds up to the whole
 */
import { answeredAt, reportTimes, pushedReportsBetween, type Life } from "./life.ts";
import type { Report } from "./reporting.ts";
import type { Waybill } from "./waybill.ts";

export type TrueStatus = "accepted" | "in_transit" | "arrived" | "available" | "delivered";

export type TrueEvent = {
  readonly atMs: number;
  readonly type: `awb_${TrueStatus}`;
  /** When that happened which brought the status about, as the airline has it; null where it gives no time. */
  readonly happenedMs: number | null;
};

/** Null: not accepted yet. */
export type TrueStatusChange = { readonly atMs: number; readonly status: TrueStatus | null };

export type Truth = {
  readonly events: readonly TrueEvent[];
  /** Whenever the status changed, and when the airline first knew the waybill. */
  readonly statusChanges: readonly TrueStatusChange[];
};

type StatusSince = { readonly status: TrueStatus; readonly sinceMs: number | null };

/**
 * @param fromMs - when the waybill begins to be tracked.
 * @param moments - when it is read, in order; the first is `fromMs`.
 */
export function truthOf(life: Life, fromMs: number, moments = reportTimes(life, fromMs)): Truth {
  const events: TrueEvent[] = [];
  const changes: TrueStatusChange[] = [];
  const heard = new Map<number, Report>();
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const atMs of moments) {
    const isFirst = heard.size === 0;
    const said = [...(answeredAt(life, atMs) ?? []), ...pushedReportsBetween(life, beforeMs, atMs)];
    for (const saying of said.toSorted((a, b) => a.reportedMs - b.reportedMs)) heard.set(saying.key, saying);
    beforeMs = atMs;
    if (heard.size === 0) continue;
    const standing = statusSince(life.waybill, [...heard.values()]);
    const status = standing?.status ?? null;
    if (!isFirst && status === changes.at(-1)!.status) continue;
    changes.push({ atMs, status });
    if (standing === null) continue;
    // Spec 3.3: moves before it was added raise no event.
    const isNews = isFirst ? atMs > fromMs && (standing.sinceMs ?? 0) >= fromMs : true;
    if (isNews) events.push({ atMs, type: `awb_${standing.status}`, happenedMs: standing.sinceMs });
  }
  return { events, statusChanges: changes };
}

function statusSince({ route, pieces }: Waybill, heard: readonly Report[]): StatusSince | null {
  const destination = route.at(-1);
  const onTheWay: readonly string[] = route.slice(1, -1);
  const happened = heard.flatMap(({ planned, milestone }) => (planned ? [] : [milestone]));
  /** Empty: nothing of the kind happened. */
  const times = (codes: string, at: (station: string) => boolean): readonly (number | null)[] =>
    happened
      .filter(({ code, station }) => codes.split(" ").includes(code) && at(station))
      .map(({ code, atMs }) => (code === "TRM" ? null : atMs));
  const atDestination = (station: string): boolean => station === destination;
  const anywhere = (): boolean => true;

  const handedOut = happened.filter(({ code }) => code === "DLV" || code === "DDL");
  if (handedOut.reduce((sum, delivery) => sum + delivery.pieces, 0) >= pieces) {
    return { status: "delivered", sinceMs: Math.max(...handedOut.map(({ atMs }) => atMs)) };
  }
  const notified = times("NFD", atDestination);
  const received = times("RCF", atDestination);
  const cleared = times("CCD", atDestination);
  const bothMs =
    received.length > 0 && cleared.length > 0 ? [latest(earliest(received), earliest(cleared))] : [];
  const available = [...notified, ...bothMs];
  if (available.length > 0) return { status: "available", sinceMs: earliest(available) };
  const arrived = [...times("ARR RCF", atDestination), ...times("DLV DDL", anywhere)];
  if (arrived.length > 0) return { status: "arrived", sinceMs: earliest(arrived) };
  const isOnTheWay = (station: string): boolean => onTheWay.includes(station);
  const inTransit = [...times("DEP", anywhere), ...times("ARR RCF RCT TFD MAN", isOnTheWay)];
  if (inTransit.length > 0) return { status: "in_transit", sinceMs: earliest(inTransit) };
  const accepted = times("RCS RCT", anywhere);
  return accepted.length > 0 ? { status: "accepted", sinceMs: earliest(accepted) } : null;
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}
