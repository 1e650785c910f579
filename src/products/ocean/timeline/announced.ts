/** Where the carrier's plan ends, as this answer or one before it announced it. */
import { placeKey, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { isArrivalCall, isSailingCall, isVesselCall } from "./calls.ts";
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
import { eventsAfter } from "./order.ts";
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
  before: Announced,
  statements: readonly CarrierEvent[],
  timeline: Timeline,
): Announced {
  const known = isLoadedAgain(before.port, timeline) ? withoutPort(before) : before;
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
  return { ...now, ...landedAsAnnounced(now, before, timeline) };
}

/** Discharged at the announced end, and loaded onto a vessel there since: the voyage goes on to another. */
function isLoadedAgain(port: Place | null, timeline: Timeline): boolean {
  const isHere = (event: CarrierEvent, code: "DISC" | "LOAD"): boolean =>
    event.classifier === "actual" && isVesselCall(event, code) && samePlace(event.place, port);
  const discharge = timeline.find((event) => isHere(event, "DISC"));
  return discharge !== undefined && eventsAfter(timeline, discharge).some((event) => isHere(event, "LOAD"));
}

function withoutPort({ voyage: _, ...announced }: Announced): Announced {
  return { ...announced, port: null };
}
