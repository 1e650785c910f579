import { utcText } from "../../../model/instant.ts";
import { samePlace } from "../sources/carrier-event.ts";
import type { BoxRecord, Eta, AlreadyRaised } from "../record/shipment-record.ts";
import { END_VALUES } from "../status/status-groups.ts";
import { hoursOf, type EventDrafts } from "./draft.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";

/** (spec 8: eta_changed) */
const MOVE_MS_MIN = 24 * HOUR_MS;

type LastEta = Pick<Eta, "at"> & Partial<Eta>;

/** The last known ETA: the carrier may have left it out since. */
export function lastEta({ eta, etaHistory }: BoxRecord): LastEta | null {
  return eta ?? etaHistory.at(-1) ?? null;
}

/**
 * A move of 24 hours or more, also to another port, since the ETA last raised by `eta_changed` or first shown, so
 * that small moves add up; once a UTC day (spec 2.4: eta_changed; 6.2: eta_changed; 6.3: eta_changed).
 * `shipment_updated` covers the rest: smaller moves at once, the arrival itself, and an ETA of something else.
 */
export function etaEvents(
  previous: BoxRecord,
  next: BoxRecord,
  raised: AlreadyRaised,
  nowMs: number,
): EventDrafts {
  const { eta } = next;
  if (eta === null) return { drafts: [], raised };
  const known = withFirstEta(eta, previous, raised);
  const oldMs = known.etas?.[kindOf(eta)] ?? eta.at.ms;
  const today = dayOf(nowMs);
  const isOver = eta.actual || END_VALUES.includes(next.status);
  if (isOver || !isMove(oldMs, eta) || known.etaChangedOn === today) return { drafts: [], raised: known };
  const data = {
    old_eta: utcText(oldMs),
    new_eta: utcText(eta.at.ms),
    delta_hours: hoursOf(eta.at.ms - oldMs),
  };
  return {
    drafts: [{ type: "eta_changed", data, key: `eta_changed:${today}` }],
    raised: { ...raisedEta(eta, known), etaChangedOn: today },
  };
}

/** The ETA that a box shows at its first poll is never raised. */
export function raisedEtaAtFirst({ eta }: BoxRecord, raised: AlreadyRaised): AlreadyRaised {
  return eta === null ? raised : raisedEta(eta, raised);
}

/** When a further move of a UTC day is raised: at the next midnight; null: there is none. */
export function etaChangeDueMs({ eta, told }: BoxRecord, nowMs: number): number | null {
  if (eta === null || eta.actual || told.etaChangedOn !== dayOf(nowMs)) return null;
  const oldMs = told.etas?.[kindOf(eta)];
  if (oldMs === undefined || !isMove(oldMs, eta)) return null;
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
}

/** With `eta` itself if it is the first for its kind of arrival, or if the last one was an arrival made elsewhere. */
function withFirstEta(eta: Eta, previous: BoxRecord, raised: AlreadyRaised): AlreadyRaised {
  const last = lastEta(previous);
  const lastPlace = last?.place ?? null;
  const place = eta.place ?? null;
  const isOther =
    last?.actual === true && lastPlace !== null && place !== null && !samePlace(lastPlace, place);
  if (isOther) return raisedEta(eta, raised);
  if (raised.etas?.[kindOf(eta)] !== undefined) return raised;
  const isSameKind = (last?.inland ?? eta.inland) === (eta.inland ?? last?.inland);
  // Older records do not have the ETA last raised.
  return raisedEta(raised.etas === undefined && last !== null && isSameKind ? last : eta, raised);
}

function raisedEta(eta: LastEta, raised: AlreadyRaised): AlreadyRaised {
  return { ...raised, etas: { ...raised.etas, [kindOf(eta)]: eta.at.ms } };
}

function kindOf({ inland }: Partial<Eta>): "port" | "inland" {
  return inland === true ? "inland" : "port";
}

function isMove(oldMs: number, { at }: Eta): boolean {
  return Math.abs(at.ms - oldMs) >= MOVE_MS_MIN;
}

function dayOf(nowMs: number): string {
  return utcText(nowMs).slice(0, "YYYY-MM-DD".length);
}
