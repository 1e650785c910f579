/** `eta_changed` of spec 2.4 and 6.3. */
import { samePlace } from "../sources/carrier-event.ts";
import type { BoxRecord, Eta, Told } from "../record/shipment-record.ts";
import { utcText, type Telling } from "./draft.ts";

const HOUR_MS = 3_600_000;

/** Spec 8: a move of 24 hours or more, either way. */
const MOVE_MS_MIN = 24 * HOUR_MS;

/** The carrier's last word, though it may have left it out since. */
export function knownEtaMs(box: BoxRecord): number | null {
  return knownEta(box)?.at.ms ?? null;
}

type KnownEta = Pick<Eta, "at"> & Partial<Eta>;

function knownEta({ eta, etaHistory }: BoxRecord): KnownEta | null {
  return eta ?? etaHistory.at(-1) ?? null;
}

/**
 * The estimate has moved far, for the first time on this UTC day, be it with the port. A smaller move and a
 * further one are left to `shipment_updated`, and so is what is no move: the arrival itself, and an estimate
 * of something else than the one before.
 */
export function etaEvents(previous: BoxRecord, next: BoxRecord, told: Told, nowMs: number): Telling {
  const old = knownEta(previous);
  const quiet = { drafts: [], told };
  if (old === null || next.eta === null || next.eta.actual || isOfElse(old, next.eta)) return quiet;
  const oldMs = old.at.ms;
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

/** At the port and no longer inland, or the other way round; or after an arrival that was made elsewhere. */
function isOfElse(old: KnownEta, eta: Eta): boolean {
  if (old.inland !== undefined && eta.inland !== undefined && old.inland !== eta.inland) return true;
  const before = old.place ?? null;
  const now = eta.place ?? null;
  return old.actual === true && before !== null && now !== null && !samePlace(before, now);
}
