/**
 * The steps of a box's journey with their own event in the catalogue (spec 6.3: vessel_departed, customs_hold,
 * container_available, container_delivered).
 */
import type { Milestone, MilestoneType } from "../record/shipment-record.ts";
import type { Step } from "./status.ts";

/** Keys count departures and holds instead of using their times, which carriers correct. */
export function milestonesOf(steps: readonly Step[]): readonly Milestone[] {
  const milestones: Milestone[] = [];
  const add = (type: MilestoneType, occasion: string, step: Step): void => {
    const nth = milestones.filter(({ key }) => key.startsWith(`${type}:${occasion}:`)).length + 1;
    const { from, to, implied, event } = step;
    const { at, place } = event;
    const key = `${type}:${occasion}:${nth}`;
    milestones.push({ key, type, from, to, at, place, ...(implied === undefined ? {} : { implied }) });
  };
  for (const step of steps) {
    if (step.departs) add("vessel_departed", step.event.place?.unlocode ?? "", step);
    if (step.from === step.to) continue;
    if (step.to === "customs_hold") add("customs_hold", "", step);
    if (step.to === "delivered") add("container_delivered", "", step);
    if (step.to === "available" && !milestones.some(({ type }) => type === "container_available")) {
      add("container_available", "", step);
    }
  }
  return milestones;
}
