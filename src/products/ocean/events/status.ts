/** The status family of spec 2.4: what the box has come to. */
import { utcText } from "../../../model/instant.ts";
import { samePlace, type Place } from "../sources/carrier-event.ts";
import type { BoxRecord, Milestone, AlreadyRaised } from "../record/shipment-record.ts";
import { isArriving, type ContainerStatus } from "../status/status.ts";
import { companionTimesAt, type Draft, type EventDrafts } from "./draft.ts";

/**
 * The milestones that were not there before, and the arrival; `status` is the last one that they tell. The
 * arrival is a moment and no status: a ship may lie at anchor or at a berth when the last 48 hours begin.
 */
export function statusEvents(
  previous: BoxRecord,
  next: BoxRecord,
  told: AlreadyRaised,
  armed: boolean,
  nowMs: number,
): EventDrafts & { readonly status: ContainerStatus } {
  const known = new Set([...keysOf(previous), ...(told.milestones ?? [])]);
  const isOver = END_VALUES.includes(previous.status) && END_VALUES.includes(next.status);
  const reached = next.milestones.filter((milestone) => {
    const { key, type, implied } = milestone;
    // What a carrier adds behind an end value that stands is no transition.
    if (isOver && type !== "container_delivered") return false;
    if (known.has(key) || isAlreadyRaised(milestone, previous, next)) return false;
    return !(implied === true && previous.status === "returned_empty");
  });
  const drafts: Draft[] = reached.map((milestone) => ({
    type: milestone.type,
    data: {
      ...statusData(milestone.from, milestone.to, next, armed),
      ...timesOf(milestone),
    },
    key: milestone.key,
  }));
  const milestones = [...known.union(new Set(keysOf(next)))];
  const before = reached.at(-1)?.to ?? previous.status;
  const isTold = told.arrived && !hasMovedOn(next, told);
  if (isTold || !isNear(next, nowMs)) return { drafts, raised: { ...told, milestones }, status: before };
  // Time alone brings this one about, so it has no moment of its own to report.
  const arrival = {
    type: "container_arrived",
    data: statusData(before, next.status, next, armed),
    key: told.arrived ? `container_arrived:${placeKey(next.eta?.place ?? null)}` : "container_arrived",
  };
  return {
    drafts: [...drafts, arrival],
    raised: { ...told, milestones, ...raisedArrival(next) },
    status: next.status,
  };
}

/** A departure that is reported from another place than the one which had been implied before. */
function isAlreadyRaised({ type, at }: Milestone, previous: BoxRecord, next: BoxRecord): boolean {
  if (type !== "vessel_departed") return false;
  const now = new Set(keysOf(next));
  return previous.milestones.some(
    (before) =>
      before.type === type && before.implied === true && !now.has(before.key) && at.ms <= before.at.ms,
  );
}

/** What a first look has not to tell of an arrival, nor any later one. */
export function raisedArrivalAtFirst(
  box: BoxRecord,
  told: AlreadyRaised,
  nowMs: number,
): Partial<AlreadyRaised> {
  return isNear(box, nowMs) ? raisedArrival(box) : { arrived: told.arrived };
}

function raisedArrival({ eta }: BoxRecord): Partial<AlreadyRaised> {
  return { arrived: true, arrivedAt: eta?.place ?? null };
}

/** It was told to arrive where it only changes ships: of the next leg nothing was known then. */
function hasMovedOn({ eta, transshipments }: BoxRecord, { arrivedAt: port = null }: AlreadyRaised): boolean {
  return transshipments.some((place) => samePlace(place, port)) && !samePlace(eta?.place ?? null, port);
}

function placeKey(place: Place | null): string {
  return place?.unlocode ?? place?.name ?? "";
}

const END_VALUES: readonly ContainerStatus[] = ["delivered", "returned_empty"];

/** Whether the box is less than 48 hours from its destination port, whatever its ship does there. */
function isNear(box: BoxRecord, nowMs: number): boolean {
  return box.status === "arriving" || isArriving(box, nowMs);
}

/** When the carrier told no moment, none is made up. */
function timesOf({ at, place, implied }: Milestone): object {
  return implied === true ? {} : companionTimesAt(at, place ?? null);
}

function keysOf({ milestones }: BoxRecord): readonly string[] {
  return milestones.map(({ key }) => key);
}

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
