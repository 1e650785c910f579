import { utcText } from "../../../model/instant.ts";
import { samePlace } from "../sources/carrier-event.ts";
import type { BoxRecord, Eta, AlreadyRaised } from "../record/shipment-record.ts";
import { hoursOf, type EventDrafts } from "./draft.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** (spec 8: eta_changed) */
const MOVE_MS_MIN = 24 * HOUR_MS;

type LastEta = Pick<Eta, "at"> & Partial<Eta>;

/** The last known ETA: the carrier may have left it out since. */
export function lastEta({ eta, etaHistory }: BoxRecord): LastEta | null {
  return eta ?? etaHistory.at(-1) ?? null;
}

/**
 * The first move of 24 hours or more on a UTC day, also if the port changes (spec 2.4: eta_changed; 6.3:
 * eta_changed). `shipment_updated` covers the rest: smaller and further moves, the arrival itself, and an ETA
 * of something else than before.
 */
export function etaEvents(
  previous: BoxRecord,
  next: BoxRecord,
  raised: AlreadyRaised,
  nowMs: number,
): EventDrafts {
  const old = lastEta(previous);
  const none = { drafts: [], raised };
  if (old === null || next.eta === null || next.eta.actual || isOtherArrival(old, next.eta)) return none;
  const oldMs = old.at.ms;
  const deltaMs = next.eta.at.ms - oldMs;
  const today = utcText(nowMs).slice(0, 10);
  if (Math.abs(deltaMs) < MOVE_MS_MIN || raised.etaChangedOn === today) return none;
  const data = {
    old_eta: utcText(oldMs),
    new_eta: utcText(next.eta.at.ms),
    delta_hours: hoursOf(deltaMs),
  };
  return {
    drafts: [{ type: "eta_changed", data, key: `eta_changed:${today}` }],
    raised: { ...raised, etaChangedOn: today },
  };
}

/** One is at a port and the other inland, or the old one is an actual arrival elsewhere. */
function isOtherArrival(old: LastEta, eta: Eta): boolean {
  if (old.inland !== undefined && eta.inland !== undefined && old.inland !== eta.inland) return true;
  const before = old.place ?? null;
  const now = eta.place ?? null;
  return old.actual === true && before !== null && now !== null && !samePlace(before, now);
}
