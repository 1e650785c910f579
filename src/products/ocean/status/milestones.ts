/**
 * The steps of a box's journey with their own event in the catalogue (spec 6.2: vessel_departed, customs_hold,
 * container_available, container_delivered; 6.3: vessel_departed, customs_hold,
 * container_available, container_delivered).
 */
import type { Milestone, MilestoneType } from "../record/shipment-record.ts";
import { placeKey, samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Step } from "./status.ts";

/** Keys name the place and count there, instead of using times, which carriers correct. */
export function milestonesOf(steps: readonly Step[], timeline: Timeline): readonly Milestone[] {
  const milestones: Milestone[] = [];
  const add = (type: MilestoneType, { from, to, implied, event, place: where }: Step, nthMin = 1): void => {
    const occasion = `${type}:${placeKey(type === "vessel_departed" ? event.place : where) ?? ""}:`;
    const nth = milestones.filter(({ key }) => key.startsWith(occasion)).length + 1;
    const { at, place } = event;
    const key = `${occasion}${Math.max(nth, nthMin)}`;
    milestones.push({ key, type, from, to, at, place, ...(implied === undefined ? {} : { implied }) });
  };
  const holds: CarrierEvent[] = [];
  for (const [index, step] of steps.entries()) {
    const { from, to, hold } = step;
    if (step.departs) add("vessel_departed", step);
    if (from === to) continue;
    if (to === "available") add("container_available", step);
    // A box that came back in laden had not been handed over.
    const isHandover = (steps[index + 1]?.to ?? "returned_empty") === "returned_empty";
    if (to === "delivered" && isHandover) add("container_delivered", step, timesOut(step, timeline));
    // One hold may keep the box at two places.
    if (to === "customs_hold" && hold !== null && !holds.includes(hold)) {
      holds.push(hold);
      add("customs_hold", step);
    }
  }
  return milestones;
}

/** How often the box has left that place through its gate: a handover may prove to be none later. */
function timesOut({ event, place }: Step, timeline: Timeline): number {
  const outs = timeline.filter(
    (other) =>
      other.classifier === "actual" &&
      other.laden !== false &&
      (other.code === "GTOT" || other.code === "PICK") &&
      other.at.ms <= event.at.ms &&
      samePlace(other.place, place),
  );
  return Math.max(1, outs.length);
}
