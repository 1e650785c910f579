/** What a feed of a carrier says of a call at a moment. */
import { seededRandom, mix } from "../world/seeded-random.ts";
import { type Shift } from "../harbour/voyages.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { LinerCarrier, LinerFeed } from "./carriers.ts";
import { SILENT_KINDS, type CallStatus } from "./disruptions.ts";
import type { LinerCall, Vessel } from "./round-voyages.ts";

export type ReportedTimes = {
  readonly planned: number | null;
  readonly estimated: number | null;
  readonly actual: number | null;
};

/** All that one answer says of a call; times are milliseconds since the epoch. */
export type CallReport = {
  readonly call: LinerCall;
  readonly voyage: LinerCall["voyage"];
  readonly vessel: Vessel;
  /** Null: none, or the kind of answer names none. */
  readonly status: CallStatus | null;
  readonly arrival: ReportedTimes;
  readonly departure: ReportedTimes;
  /** Null: the kind of answer says nothing of them. */
  readonly cutOffs: readonly { readonly code: string; readonly ms: number }[] | null;
};

/** No actual time that is nearer is stated before it comes. */
const CLAIMED_AHEAD_MS = 16 * HOUR_MS;

const CANCELLED: ReadonlySet<CallStatus> = new Set(["BLNK", "SLID", "OMIT"]);

/** Null: the call is in none of its answers. */
export function reportOf(
  seed: number,
  carrier: LinerCarrier,
  feed: LinerFeed,
  call: LinerCall,
  nowMs: number,
): CallReport | null {
  const luck = seededRandom(seed, "reporting", mix(call.id, carrier.feeds.indexOf(feed)));
  const atMs = nowMs - luck.integer(0, feed.lagHoursMax * 60) * MINUTE_MS;
  const keepsEstimates = luck.chance(0.5);
  if (call.listedMs > atMs) return null;
  const fates = call.disruptions.filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  if (fates.some(({ kind }) => kind === "gone" || kind === "absent")) return null;
  const status = statusOf(fates);
  const isCancelled = status !== null && CANCELLED.has(status);
  if (isCancelled && (carrier.omitsCancelled || feed.dropsCancelled)) return null;
  const isKnown = (ms: number): boolean => call.isMade && ms <= atMs;
  const { arrivalMs, departureMs } = call.actual;
  if (isKnown(departureMs) && atMs > departureMs + carrier.departedDays * DAY_MS) return null;
  const waverMs = carrier.jittersEstimates ? jitterMs(seed, call, atMs) : 0;
  const isReplanned = feed.reportsPlanned && call.replannedMs !== null && call.replannedMs <= atMs;
  const isClaimed = fates.some(({ kind }) => kind === "claimed");
  const timesOf = (plannedMs: number, actualMs: number, shifts: readonly Shift[]): ReportedTimes => {
    const expectedMs = plannedMs + knownShiftMs(shifts, atMs) + waverMs;
    const isOver = isKnown(actualMs);
    const isRight = Math.abs(expectedMs - actualMs) < DAY_MS;
    const isAhead = isClaimed && isRight && expectedMs > nowMs + CLAIMED_AHEAD_MS;
    const isUnestimated = isReplanned || (isOver && !keepsEstimates) || (isAhead && keepsEstimates);
    return {
      planned: feed.reportsPlanned ? (isReplanned ? expectedMs : plannedMs) : null,
      estimated: isUnestimated ? null : expectedMs,
      actual: isOver ? actualMs : isAhead ? expectedMs : null,
    };
  };
  const namesStatus = feed.kind === "ovs-service-schedules";
  const isRenumbered = fates.some(({ kind }) => kind === "renumbered");
  return {
    call,
    voyage: isRenumbered ? renumbered(call.voyage) : call.voyage,
    vessel: (call.vessels.findLast(({ fromMs }) => fromMs <= atMs) as LinerCall["vessels"][0]).vessel,
    status: namesStatus ? status : null,
    arrival: timesOf(call.planned.arrivalMs, arrivalMs, call.arrivalShifts),
    departure: timesOf(call.planned.departureMs, departureMs, call.departureShifts),
    cutOffs: namesStatus ? null : cutOffsAt(carrier, call, atMs),
  };
}

function statusOf(fates: LinerCall["disruptions"]): CallStatus | null {
  const codes = fates.flatMap(({ kind }) =>
    (SILENT_KINDS as readonly string[]).includes(kind) ? [] : [kind as CallStatus],
  );
  return codes.findLast((code) => CANCELLED.has(code)) ?? codes.at(-1) ?? null;
}

/** Both numbers: the call at which the number changes belongs to both voyages. */
function renumbered(voyage: LinerCall["voyage"]): LinerCall["voyage"] {
  return { import: `${voyage.import}R`, export: `${voyage.export}R` };
}

function knownShiftMs(shifts: readonly Shift[], atMs: number): number {
  let byMs = 0;
  for (const shift of shifts) if (shift.knownMs <= atMs) byMs += shift.byMs;
  return byMs;
}

const JITTER_STEP_MS = 20 * HOUR_MS;
const JITTER_AHEAD_MS = 25 * DAY_MS;

/** Hours to and fro, less than a day in all, until the vessel is near. */
function jitterMs(seed: number, call: LinerCall, atMs: number): number {
  const aheadMs = call.planned.arrivalMs - atMs;
  if (aheadMs > JITTER_AHEAD_MS || aheadMs < -2 * DAY_MS) return 0;
  const draws = seededRandom(seed, "reporting", mix(call.id, 100 + Math.floor(atMs / JITTER_STEP_MS)));
  return draws.chance(0.4) ? draws.integer(-10, 18) * (HOUR_MS / 2) : 0;
}

function cutOffsAt(carrier: LinerCarrier, call: LinerCall, atMs: number): NonNullable<CallReport["cutOffs"]> {
  const { departureMs } = call.planned;
  const movedMs = carrier.movesCutOffs ? knownShiftMs(call.departureShifts, atMs) : 0;
  return call.cutOffs.flatMap(({ code, beforeMs, listedMs, shifts, absent }) => {
    const isListed = listedMs <= atMs && !(absent !== null && absent.fromMs <= atMs && atMs < absent.untilMs);
    return isListed ? [{ code, ms: departureMs - beforeMs + movedMs + knownShiftMs(shifts, atMs) }] : [];
  });
}
