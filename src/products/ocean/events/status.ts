import { utcText } from "../../../model/instant.ts";
import { placeKey, samePlace } from "../sources/carrier-event.ts";
import type { BoxRecord, Milestone, AlreadyRaised } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../event-data.ts";
import { END_VALUES } from "../status/status-groups.ts";
import { isArriving } from "../status/status.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";
import type { Draft, EventDrafts } from "./draft.ts";

/**
 * The status family: the new milestones and the arrival; `status` is the last one that they report (spec 3.3:
 * genuine_transition, repoll). The arrival is a moment, not a status: a vessel may be at anchor or at a berth when
 * the last 48 hours begin.
 */
export function statusEvents(
  previous: BoxRecord,
  next: BoxRecord,
  raised: AlreadyRaised,
  armed: boolean,
  nowMs: number,
): EventDrafts & { readonly status: ContainerStatus } {
  const known = new Set([...keysOf(previous), ...(raised.milestones ?? [])]);
  const isOver = END_VALUES.includes(previous.status) && END_VALUES.includes(next.status);
  const reached = next.milestones.filter((milestone) => {
    const { type, implied } = milestone;
    // Events after an end value are no transition.
    if (isOver && type !== "container_delivered") return false;
    if (known.has(raisedKey(milestone, next)) || isAlreadyRaised(milestone, previous, next)) return false;
    return !(implied === true && previous.status === "returned_empty");
  });
  const drafts: Draft[] = reached.map((milestone) => ({
    type: milestone.type,
    data: {
      ...statusData(milestone.from, milestone.to, next, armed),
      // An implied milestone has no known time.
      ...(milestone.implied === true ? {} : companionTimesAt(milestone.at, milestone.place ?? null)),
    },
    key: raisedKey(milestone, next),
  }));
  const milestones = [...known.union(new Set(keysOf(next)))];
  const before = reached.at(-1)?.to ?? previous.status;
  const isArrivalRaised = raised.arrived && !hasMovedOn(next, raised);
  if (isArrivalRaised || !isNear(next, nowMs))
    return { drafts, raised: { ...raised, milestones }, status: before };
  // Time alone causes the arrival, so it has no event time.
  const arrival = {
    type: "container_arrived",
    data: statusData(before, next.status, next, armed),
    key: raised.arrived
      ? `container_arrived:${placeKey(next.eta?.place ?? null) ?? ""}`
      : "container_arrived",
  };
  return {
    drafts: [...drafts, arrival],
    raised: { ...raised, milestones, ...raisedArrival(next) },
    status: next.status,
  };
}

/** A departure that was implied from one place and is now reported from another. */
function isAlreadyRaised({ type, at }: Milestone, previous: BoxRecord, next: BoxRecord): boolean {
  if (type !== "vessel_departed") return false;
  const now = new Set(next.milestones.map(({ key }) => key));
  return previous.milestones.some(
    (before) =>
      before.type === type && before.implied === true && !now.has(before.key) && at.ms <= before.at.ms,
  );
}

/** An arrival that holds at the first poll is never raised. */
export function raisedArrivalAtFirst(
  box: BoxRecord,
  raised: AlreadyRaised,
  nowMs: number,
): Partial<AlreadyRaised> {
  return isNear(box, nowMs) ? raisedArrival(box) : { arrived: raised.arrived };
}

function raisedArrival({ eta }: BoxRecord): Partial<AlreadyRaised> {
  return { arrived: true, arrivedAt: eta?.place ?? null };
}

/** The raised arrival was at a port where the box only changes vessels: the next leg was unknown then. */
function hasMovedOn({ eta, transshipments }: BoxRecord, { arrivedAt: port = null }: AlreadyRaised): boolean {
  return transshipments.some((place) => samePlace(place, port)) && !samePlace(eta?.place ?? null, port);
}

function isNear(box: BoxRecord, nowMs: number): boolean {
  return box.status === "arriving" || isArriving(box, nowMs);
}

function keysOf(box: BoxRecord): readonly string[] {
  return box.milestones.map((milestone) => raisedKey(milestone, box));
}

/** A vessel that was taken to have left with the box spends no departure of the one that does. */
function raisedKey({ key, type, place }: Milestone, { missedSailings = [] }: BoxRecord): string {
  const from = placeKey(place ?? null);
  const untrue = missedSailings.filter((missed) => missed.departed === true && missed.from === from).length;
  return type === "vessel_departed" && untrue > 0 ? `${key}:${untrue}` : key;
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
