/** What a feed of a carrier says of a call at a moment. */
import type { CallStatus } from "../../../../src/products/schedules/calls/call-statement.ts";
import { drawsOf, mix } from "../world/chance.ts";
import { type Shift } from "../harbour/voyages.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { LinerCarrier, LinerFeed } from "./carriers.ts";
import type { LinerCall, Vessel } from "./rounds.ts";

export type SaidTimes = {
  readonly planned: number | null;
  readonly estimated: number | null;
  readonly actual: number | null;
};

/** All that one answer says of a call; times are milliseconds since the epoch. */
export type Said = {
  readonly call: LinerCall;
  readonly voyage: LinerCall["voyage"];
  readonly vessel: Vessel;
  /** Null: none, or the kind of answer names none. */
  readonly status: CallStatus | null;
  readonly arrival: SaidTimes;
  readonly departure: SaidTimes;
  /** Null: the kind of answer says nothing of them. */
  readonly cutOffs: readonly { readonly code: string; readonly ms: number }[] | null;
};

const CANCELLED: ReadonlySet<CallStatus> = new Set(["BLNK", "SLID", "OMIT"]);

/** Null: the call is in none of its answers. */
export function saidOf(
  seed: number,
  carrier: LinerCarrier,
  feed: LinerFeed,
  call: LinerCall,
  nowMs: number,
): Said | null {
  const luck = drawsOf(seed, "telling", mix(call.id, carrier.feeds.indexOf(feed)));
  const atMs = nowMs - luck.whole(0, feed.lagHoursMax * 60) * MINUTE_MS;
  const keepsEstimates = luck.is(0.5);
  if (call.listedMs > atMs) return null;
  const fates = call.fates.filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  if (fates.some(({ what }) => what === "gone" || what === "absent")) return null;
  const status = statusOf(fates);
  const isCancelled = status !== null && CANCELLED.has(status);
  if (isCancelled && (carrier.isSilent || feed.dropsCancelled)) return null;
  const isKnown = (ms: number): boolean => call.isMade && ms <= atMs;
  const { arrivalMs, departureMs } = call.actual;
  if (isKnown(departureMs) && atMs > departureMs + carrier.leftDays * DAY_MS) return null;
  const waverMs = carrier.wavers ? waver(seed, call, atMs) : 0;
  const timesOf = (plannedMs: number, actualMs: number, shifts: readonly Shift[]): SaidTimes => ({
    planned: feed.tellsPlanned ? plannedMs : null,
    estimated: isKnown(actualMs) && !keepsEstimates ? null : plannedMs + knownBy(shifts, atMs) + waverMs,
    actual: isKnown(actualMs) ? actualMs : null,
  });
  const namesStatus = feed.kind === "ovs-service-schedules";
  const isRenumbered = fates.some(({ what }) => what === "renumbered");
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

function statusOf(fates: LinerCall["fates"]): CallStatus | null {
  const codes = fates.flatMap(({ what }) =>
    what === "gone" || what === "absent" || what === "renumbered" ? [] : [what],
  );
  return codes.findLast((code) => CANCELLED.has(code)) ?? codes.at(-1) ?? null;
}

/** Both numbers: the call at which the number changes belongs to both voyages. */
function renumbered(voyage: LinerCall["voyage"]): LinerCall["voyage"] {
  return { import: `${voyage.import}R`, export: `${voyage.export}R` };
}

function knownBy(shifts: readonly Shift[], atMs: number): number {
  let byMs = 0;
  for (const shift of shifts) if (shift.knownMs <= atMs) byMs += shift.byMs;
  return byMs;
}

const WAVER_MS = 20 * HOUR_MS;
const WAVERS_AHEAD_MS = 25 * DAY_MS;

/** Hours to and fro, less than a day in all, until the vessel is near. */
function waver(seed: number, call: LinerCall, atMs: number): number {
  const aheadMs = call.planned.arrivalMs - atMs;
  if (aheadMs > WAVERS_AHEAD_MS || aheadMs < -2 * DAY_MS) return 0;
  const draws = drawsOf(seed, "telling", mix(call.id, 100 + Math.floor(atMs / WAVER_MS)));
  return draws.is(0.4) ? draws.whole(-10, 18) * (HOUR_MS / 2) : 0;
}

function cutOffsAt(carrier: LinerCarrier, call: LinerCall, atMs: number): NonNullable<Said["cutOffs"]> {
  const { departureMs } = call.planned;
  const movedMs = carrier.movesCutOffs ? knownBy(call.departureShifts, atMs) : 0;
  return call.cutOffs.flatMap(({ code, beforeMs, listedMs, shifts, absent }) => {
    const isListed = listedMs <= atMs && !(absent !== null && absent.fromMs <= atMs && atMs < absent.untilMs);
    return isListed ? [{ code, ms: departureMs - beforeMs + movedMs + knownBy(shifts, atMs) }] : [];
  });
}
