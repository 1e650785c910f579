/** `eta_changed` of spec 2.4 and 6.3. */
import { utcText } from "../../../model/instant.ts";
import { samePlace } from "../sources/carrier-event.ts";
import type { BoxRecord, Eta, AlreadyRaised } from "../record/shipment-record.ts";
import type { EventDrafts } from "./draft.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** Spec 8: a move of 24 hours or more, either way. */
const MOVE_MS_MIN = 24 * HOUR_MS;

/** The carrier's last word, though it may have left it out since. */
export function lastEtaMs(box: BoxRecord): number | null {
  return lastEta(box)?.at.ms ?? null;
}

type LastEta = Pick<Eta, "at"> & Partial<Eta>;

function lastEta({ eta, etaHistory }: BoxRecord): LastEta | null {
  return eta ?? etaHistory.at(-1) ?? null;
}

/**
 * The estimate has moved far, for the first time on this UTC day, be it with the port. A smaller move and a
 * further one are left to `shipment_updated`, and so is what is no move: the arrival itself, and an estimate
 * of something else than the one before.
 */
export function etaEvents(
  previous: BoxRecord,
  next: BoxRecord,
  raised: AlreadyRaised,
  nowMs: number,
): EventDrafts {
  const old = lastEta(previous);
  const quiet = { drafts: [], raised: raised };
  if (old === null || next.eta === null || next.eta.actual || isOtherArrival(old, next.eta)) return quiet;
  const oldMs = old.at.ms;
  const deltaMs = next.eta.at.ms - oldMs;
  const today = utcText(nowMs).slice(0, 10);
  if (Math.abs(deltaMs) < MOVE_MS_MIN || raised.etaChangedOn === today) return quiet;
  const data = {
    old_eta: utcText(oldMs),
    new_eta: utcText(next.eta.at.ms),
    delta_hours: Math.round((deltaMs / HOUR_MS) * 100) / 100,
  };
  return {
    drafts: [{ type: "eta_changed", data, key: `eta_changed:${today}` }],
    raised: { ...raised, etaChangedOn: today },
  };
}

/** At the port and no longer inland, or the other way round; or after an arrival that was made elsewhere. */
function isOtherArrival(old: LastEta, eta: Eta): boolean {
  if (old.inland !== undefined && eta.inland !== undefined && old.inland !== eta.inland) return true;
  const before = old.place ?? null;
  const now = eta.place ?? null;
  return old.actual === true && before !== null && now !== null && !samePlace(before, now);
}
