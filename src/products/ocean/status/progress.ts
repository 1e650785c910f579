import { samePlace } from "../sources/carrier-event.ts";
import type { ContainerStatus } from "../event-data.ts";
import type { StatusReading } from "./status.ts";
import type { Position } from "./position.ts";

const LEG_POSITIONS: readonly Position[] = ["sailing", "anchored", "berthed", "transshipment"];
const ASHORE_POSITIONS: readonly Position[] = ["discharged", "on_carriage", "available"];

const LEGS_MAX = 1_000;

/** How far a box has come, to compare with other boxes. A cancelled box ranks last, so as not to hold up others. */
export function progressOf({ journey, route }: StatusReading, status: ContainerStatus): number {
  if (status === "cancelled") return LEGS_MAX * 10 + 3;
  if (status === "returned_empty") return LEGS_MAX * 10 + 2;
  if (status === "delivered") return LEGS_MAX * 10 + 1;
  if (status === "unknown") return 0;
  // A loaded box that is `arriving` has sailed, reported or not.
  const hasSailed = status === "arriving" && journey.loaded;
  const atSea = hasSailed ? 0 : LEG_POSITIONS.indexOf(journey.position);
  if (atSea >= 0) {
    const legs = journey.departures.length + journey.unreportedDepartures.length + (hasSailed ? 2 : 1);
    return Math.min(legs, LEGS_MAX) * 5 + atSea;
  }
  const ashore = ASHORE_POSITIONS.indexOf(journey.position);
  if (ashore < 0) return 1;
  const inland = route.inland.kind === "known" && samePlace(journey.place, route.inland.place);
  const waiting = journey.hold === null ? 0.5 : 0;
  return LEGS_MAX * 5 + 5 + (inland ? ASHORE_POSITIONS.length : 0) + ashore + waiting;
}
