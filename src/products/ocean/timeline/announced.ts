/** Where the carrier's plan ends, as this answer or one before it announced it. */
import { placeKey, samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { isArrivalCall, isSailingCall } from "./calls.ts";
import { announcedInland } from "./inland.ts";
import {
  announcedVoyage,
  finalArrival,
  isNextCallWithoutBox,
  isPlan,
  landedAsAnnounced,
  NOTHING_ANNOUNCED,
  sailingPorts,
  type Announced,
} from "./route.ts";
import { timelineOf, type Timeline } from "./timeline.ts";

/**
 * `known`: of the answer before. What this answer announces, else what an earlier one did. Which plans are the box's depends on that: of two ends that
 * each give the other, one stays, so that a repeated answer changes nothing.
 */
export function announcedBy(
  statements: readonly CarrierEvent[],
  timeline: Timeline,
  known: Announced = NOTHING_ANNOUNCED,
): Announced {
  const once = announcedAfter(known, statements, timeline);
  const again = announcedAfter(once, statements, timeline);
  return (placeKey(again.port) ?? "") < (placeKey(once.port) ?? "") ? again : once;
}

function announcedAfter(
  known: Announced,
  statements: readonly CarrierEvent[],
  timeline: Timeline,
): Announced {
  const { port, voyage, inland } = known;
  const sailed = timeline.filter((event) => event.classifier === "actual" && isSailingCall(event));
  // A port that the box has sailed from since is left over from an earlier plan.
  const isLeftOver = (plan: CarrierEvent): boolean =>
    isArrivalCall(plan) &&
    sailed.some(({ at, place }) => at.ms >= plan.at.ms && samePlace(place, plan.place));
  const isOwn = (plan: CarrierEvent): boolean =>
    !isLeftOver(plan) && !isNextCallWithoutBox(plan, timeline, known);
  const plans = timelineOf(statements.filter((event) => isPlan(event) && isOwn(event)));
  const arrival = finalArrival(plans, timeline);
  const planned = arrival === null || arrival.place === null ? null : arrival;
  const by = planned === null ? voyage : announcedVoyage(planned, plans, timeline);
  const now = {
    port: planned?.place ?? port,
    ...(by === undefined ? {} : { voyage: by }),
    inland: announcedInland(timeline, plans, inland),
    ...sailingPorts(plans, timeline, known),
  };
  return { ...now, ...landedAsAnnounced(now, known, timeline) };
}
