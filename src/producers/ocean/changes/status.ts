/** The status family of spec 2.4: what the box has come to. */
import type { BoxRecord, Told } from "../shipment-record.ts";
import type { ContainerStatus } from "../status.ts";
import { companionTimes, utcText, type Draft, type Telling } from "./draft.ts";

/** The milestones that were not there before, and the arrival; `status` is the last one that they tell. */
export function statusEvents(
  previous: BoxRecord,
  next: BoxRecord,
  told: Told,
  armed: boolean,
): Telling & { readonly status: ContainerStatus } {
  const known = new Set([...keysOf(previous), ...(told.milestones ?? [])]);
  const reached = next.milestones.filter(({ key }) => !known.has(key));
  const drafts: Draft[] = reached.map((milestone) => ({
    type: milestone.type,
    data: {
      ...statusData(milestone.from, milestone.to, next, armed),
      ...companionTimes(milestone.at, milestone.place ?? null),
    },
    key: milestone.key,
  }));
  const milestones = [...known.union(new Set(keysOf(next)))];
  const before = reached.at(-1)?.to ?? previous.status;
  if (next.status !== "arriving") return { drafts, told: { ...told, milestones }, status: before };
  // Time alone brings this one about, so it has no moment of its own to report.
  const arrival = {
    type: "container_arrived",
    data: statusData(before, "arriving", next, armed),
    key: "container_arrived",
  };
  const isNew = previous.status !== "arriving" && !told.arrived;
  return {
    drafts: isNew ? [...drafts, arrival] : drafts,
    told: { ...told, milestones, arrived: true },
    status: isNew ? "arriving" : before,
  };
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
