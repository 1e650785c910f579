/**
 * The truth about a waybill: the statuses and events that spec 6.4 calls for, given what its airline says and
 * when, for a service that reads it at given moments: right after every change, unless said otherwise. It is derived
 * from what happens, each event known by itself, and not from the messages, so that it can be compared with
 * what the service makes of them.
 *
 * - booked: booked, announced, on hand or manifested
 * - accepted: received from the shipper or another carrier (RCS, RCT)
 * - in_transit: departed, or at a station on the way; TRM only announces, and so does a MAN made ahead
 * - arrived: at the destination by ARR, FIW or RCF, or handed out, the first part of it
 * - available: notified there, or received and cleared there
 * - delivered: what was handed out, each piece once, adds up to the whole
 */
import { DAY_MS } from "../world/durations.ts";
import { handedOutInFull } from "./handed-out.ts";
import { hear, holdingAt, NOTHING_HEARD, type Heard, type Hearing } from "./hearing.ts";
import { reportTimes, type Life } from "./life.ts";
import { isDelivery } from "./milestone.ts";
import type { Report } from "./reporting.ts";
import { factsOf, isManifestedThere, type TrueFacts } from "./truth-facts.ts";
import type { Waybill } from "./waybill.ts";

const STATUSES = ["booked", "accepted", "in_transit", "arrived", "available", "delivered"] as const;

export type TrueStatus = (typeof STATUSES)[number];

export type TrueEvent = {
  readonly atMs: number;
  readonly type: `awb_${TrueStatus}`;
  /** When that happened which brought the status about, as the airline has it; null where it gives no time. */
  readonly happenedMs: number | null;
};

/** Null: nothing is known that gives a status. */
export type TrueStatusChange = { readonly atMs: number; readonly status: TrueStatus | null };

export type Truth = {
  readonly events: readonly TrueEvent[];
  /** Whenever the status changed, and when the airline first knew the waybill. */
  readonly statusChanges: readonly TrueStatusChange[];
  /** At each moment since then. */
  readonly facts: readonly TrueFacts[];
};

type StatusSince = { readonly status: TrueStatus; readonly since: Moment };

/**
 * @param fromMs - when the waybill begins to be tracked.
 * @param moments - when it is read, in order; the first is `fromMs`.
 */
export function truthOf(life: Life, fromMs: number, moments = reportTimes(life, fromMs)): Truth {
  const events: TrueEvent[] = [];
  const changes: TrueStatusChange[] = [];
  const facts: TrueFacts[] = [];
  // A status that the waybill falls back to, because an airline takes something back, was reached before.
  let furthest = -1;
  let hearing = NOTHING_HEARD;
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const atMs of moments) {
    const isFirst = changes.length === 0;
    hearing = hear(life, hearing, beforeMs, atMs);
    beforeMs = atMs;
    if (hearing.pushed.size + hearing.answered.size === 0) continue;
    const holding = holdingAt(hearing, atMs);
    facts.push(factsOf(life.waybill, holding, atMs));
    const standing = statusSince(life.waybill, holding, hearing, atMs);
    const status = standing?.status ?? null;
    if (!isFirst && status === changes.at(-1)!.status) continue;
    changes.push({ atMs, status });
    if (standing === null || STATUSES.indexOf(standing.status) <= furthest) continue;
    furthest = STATUSES.indexOf(standing.status);
    // Spec 3.3: moves before it was added raise no event.
    const isNews = isFirst ? atMs > fromMs && (latestMs(standing.since) ?? 0) >= fromMs : true;
    if (!isNews || standing.status === "booked") continue;
    events.push({ atMs, type: `awb_${standing.status}`, happenedMs: standing.since.saidMs });
  }
  return { events, statusChanges: changes, facts };
}

/** When something happened: the time that is said, and the moment that puts it in order. */
type Moment = { readonly saidMs: number | null; readonly orderMs: number; readonly isOfDay: boolean };

/** Of what is said with its day only, the end of that day. */
function latestMs({ saidMs, isOfDay }: Moment): number | null {
  return saidMs === null ? null : saidMs + (isOfDay ? DAY_MS - 1 : 0);
}

function statusSince(
  waybill: Waybill,
  holding: readonly Heard[],
  hearing: Hearing,
  nowMs: number,
): StatusSince | null {
  const { route, pieces } = waybill;
  const onTheWay: readonly string[] = route.slice(1, -1);
  const happened = holding.map(({ report }) => report).filter(({ planned }) => !planned);
  /** Empty: nothing of the kind happened. */
  const moments = (codes: string, at: (station: string) => boolean): readonly Moment[] =>
    happened
      .filter(({ milestone }) => codes.split(" ").includes(milestone.code) && at(milestone.station))
      .map(momentOf);
  const atDestination = (station: string): boolean => station === route.at(-1);
  const anywhere = (): boolean => true;
  const isOnTheWay = (station: string): boolean => onTheWay.includes(station);
  const manifested = happened
    .filter(({ milestone: { code, station } }) => code === "MAN" && isOnTheWay(station))
    .filter((report) => isManifestedThere(report, holding, nowMs))
    .map(momentOf);
  const handedOut = happened.filter(({ milestone }) => isDelivery(milestone));
  const inFull = handedOutInFull(handedOut, pieces, hearing);
  if (inFull !== null) return { status: "delivered", since: latest(inFull.map(momentOf)) };
  const notified = moments("NFD", atDestination);
  const received = moments("RCF", atDestination);
  const cleared = moments("CCD", atDestination);
  const both =
    received.length > 0 && cleared.length > 0 ? [latest([earliest(received), earliest(cleared)])] : [];
  const rules: readonly (readonly [TrueStatus, readonly Moment[]])[] = [
    ["available", [...notified, ...both]],
    ["arrived", [...moments("ARR FIW RCF", atDestination), ...handedOut.map(momentOf)]],
    [
      "in_transit",
      [...moments("DEP", anywhere), ...moments("ARR FIW RCF RCT TFD FOW", isOnTheWay), ...manifested],
    ],
    ["accepted", moments("RCS RCT", anywhere)],
    ["booked", moments("BKD DPU DOC FOH PRE MAN", anywhere)],
  ];
  const holds = rules.find(([, since]) => since.length > 0);
  return holds === undefined ? null : { status: holds[0], since: earliest(holds[1]) };
}

/** Said with their days only, things are in the order in which they happened. */
function momentOf({ milestone: { code, atMs }, isOfDay, trueMs }: Report): Moment {
  return { saidMs: code === "TRM" ? null : atMs, orderMs: isOfDay ? trueMs : atMs, isOfDay };
}

function earliest(moments: readonly Moment[]): Moment {
  return moments.reduce((first, other) => (other.orderMs < first.orderMs ? other : first));
}

function latest(moments: readonly Moment[]): Moment {
  return moments.reduce((last, other) => (other.orderMs > last.orderMs ? other : last));
}
