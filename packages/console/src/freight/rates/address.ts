import { withQuery } from "../../ui/api.ts";
import type { LaneFields } from "./answers.ts";

/** Of the page of a lane's pair of ports. */
export function laneAddress(pages: string, { origin, destination, equipment, currency }: LaneFields): string {
  return withQuery(`${pages}/lanes/${origin}-${destination}`, { box: equipment, currency });
}
