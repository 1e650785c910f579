/** `eta_changed` of spec 2.4 and 6.3. */
import type { BoxRecord, Told } from "../shipment-record.ts";
import { utcText, type Telling } from "./draft.ts";

const HOUR_MS = 3_600_000;

/** Spec 8: a move of 24 hours or more, either way. */
const MOVE_MS_MIN = 24 * HOUR_MS;

/** The carrier's last word, though it may have left it out since. */
export function knownEtaMs({ eta, etaHistory }: BoxRecord): number | null {
  return (eta ?? etaHistory.at(-1))?.at.ms ?? null;
}

/**
 * The estimate has moved far, for the first time on this UTC day. A smaller move and a further one are
 * left to `shipment_updated`, and so is the arrival itself: it is no estimate.
 */
export function etaEvents(previous: BoxRecord, next: BoxRecord, told: Told, nowMs: number): Telling {
  const oldMs = knownEtaMs(previous);
  const quiet = { drafts: [], told };
  if (oldMs === null || next.eta === null || next.eta.actual) return quiet;
  const deltaMs = next.eta.at.ms - oldMs;
  const today = utcText(nowMs).slice(0, 10);
  if (Math.abs(deltaMs) < MOVE_MS_MIN || told.etaChangedOn === today) return quiet;
  const data = {
    old_eta: utcText(oldMs),
    new_eta: utcText(next.eta.at.ms),
    delta_hours: Math.round((deltaMs / HOUR_MS) * 100) / 100,
  };
  return {
    drafts: [{ type: "eta_changed", data, key: `eta_changed:${today}` }],
    told: { ...told, etaChangedOn: today },
  };
}
