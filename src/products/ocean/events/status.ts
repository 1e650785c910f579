import { utcText } from "../../../model/instant.ts";
import type { BoxRecord, Milestone, AlreadyRaised } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../event-data.ts";
import { END_VALUES } from "../status/status-groups.ts";
import { isArriving } from "../status/status.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";
import type { Draft, EventDrafts } from "./draft.ts";
import { isRaisedAt, keyAt, milestoneKeys, withKeys } from "./raised-keys.ts";
import { CORRECTION_MS_MAX } from "../timeline/timeline.ts";

/**
 * The status family: the new milestones and the arrival; `status` is the last one that they report (spec 3.3:
 * genuine_transition, repoll). They form a chain from the status that the record showed before (spec 2.4:
 * previous_status). The arrival is a moment, not a status: a vessel may be at anchor or at a berth when the last 48
 * hours begin. Each names a change: where the status shown is its own already, what it follows on in a journey.
 */
export function statusEvents(
  previous: BoxRecord,
  next: BoxRecord,
  raised: AlreadyRaised,
  armed: boolean,
  nowMs: number,
): EventDrafts & { readonly status: ContainerStatus } {
  const reached = next.milestones.filter((one) => isNewMilestone(one, previous, next, raised));
  const drafts: Draft[] = [];
  let shown = previous.status;
  for (const milestone of reached) {
    const { type, key, at, place = null } = milestone;
    if (type === "container_available" && shown === "available" && isAgainThere(milestone, previous, next))
      continue;
    // Its departure is reported late: the box is at sea already.
    const isKnownAtSea = type === "vessel_departed" && shown === "arriving" && next.status === "arriving";
    const to = isKnownAtSea ? shown : milestone.to;
    const again = key in (raised.keys ?? {}) ? `@${utcText(at.ms).slice(0, 10)}` : "";
    const data = {
      ...statusData(shown === to ? statusBefore(milestone, previous, next) : shown, to, next, armed),
      // An implied milestone has no known time.
      ...(milestone.implied === true ? {} : companionTimesAt(at, place)),
    };
    drafts.push({ type, data, key: `${key}${again}` });
    shown = to;
  }
  const keys = { ...raised.keys, ...milestoneKeys(next.milestones) };
  const arrival = arrivalKeys(next, nowMs).filter(() => !isArrivalRaised(next, raised));
  for (const key of arrival) {
    // Time alone causes the arrival, so it has no event time.
    const from = shown === next.status ? "in_transit" : shown;
    drafts.push({ type: "container_arrived", data: statusData(from, next.status, next, armed), key });
    shown = next.status;
  }
  return { drafts, raised: withKeys({ ...raised, keys }, arrival), status: shown };
}

/** What a box shows before it comes about (spec 3.3). */
function statusBefore({ type, key }: Milestone, previous: BoxRecord, next: BoxRecord): ContainerStatus {
  if (type === "container_delivered") return "available";
  if (type !== "vessel_departed") return "discharged";
  const first = [...previous.milestones, ...next.milestones].find((one) => one.type === type);
  return first?.key === key ? "pre_departure" : "at_transshipment";
}

/** Out of the gate and in again, or released again: the box is as available there as it was. */
function isAgainThere({ key }: Milestone, previous: BoxRecord, next: BoxRecord): boolean {
  const there = key.slice(0, key.lastIndexOf(":") + 1);
  const until = next.milestones.findIndex((one) => one.key === key);
  return [...previous.milestones, ...next.milestones.slice(0, until)].some((one) =>
    one.key.startsWith(there),
  );
}

function isNewMilestone(
  milestone: Milestone,
  previous: BoxRecord,
  next: BoxRecord,
  { keys = {} }: AlreadyRaised,
): boolean {
  const { key, type, at, implied } = milestone;
  // Events after an end value are no transition.
  const wasOver = previous.trip === next.trip && END_VALUES.includes(previous.status);
  if (wasOver && END_VALUES.includes(next.status) && type !== "container_delivered") return false;
  if (wasOver && implied === true) return false;
  const before = previous.milestones.filter((one) => one.type === type);
  if (before.some((one) => one.key === key || isSameHappening(one, milestone, next))) return false;
  const nth = next.milestones.filter((one) => one.type === type).indexOf(milestone) + 1;
  // Of an older record that had lost it.
  if (`${type}::${nth}` in keys) return false;
  const raisedMs = keys[key];
  if (raisedMs === undefined) return true;
  return type !== "vessel_departed" && raisedMs !== null && at.ms - raisedMs > CORRECTION_MS_MAX;
}

/** One that was implied and is now reported, or a handover whose place is corrected. */
function isSameHappening(before: Milestone, { at, type }: Milestone, next: BoxRecord): boolean {
  if (next.milestones.some(({ key }) => key === before.key)) return false;
  if (before.implied === true) return at.ms <= before.at.ms;
  return type !== "vessel_departed" && at.ms === before.at.ms;
}

/** The key of the arrival that holds now, if one does. */
export function arrivalKeys(box: BoxRecord, nowMs: number): readonly string[] {
  return isNear(box, nowMs) ? [keyAt("container_arrived", box.eta?.place ?? null)] : [];
}

function isArrivalRaised({ eta }: BoxRecord, { keys = {} }: AlreadyRaised): boolean {
  return isRaisedAt(keys, "container_arrived", eta?.place ?? null);
}

function isNear(box: BoxRecord, nowMs: number): boolean {
  return box.status === "arriving" || isArriving(box, nowMs);
}

/** (spec 2.4: previous_status, new_status, eta, demurrage_days_overdue, demurrage_accrued_usd) */
export function statusData(
  from: ContainerStatus,
  to: ContainerStatus,
  { eta, freeTime }: BoxRecord,
  armed: boolean,
): object {
  return {
    previous_status: from,
    new_status: to,
    eta: eta === null ? null : utcText(eta.at.ms),
    demurrage_days_overdue: armed && freeTime !== null ? freeTime.daysOverdue : null,
    demurrage_accrued_usd: armed && freeTime !== null ? freeTime.accruedUsd : null,
  };
}
