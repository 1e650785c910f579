/** How far boxes of one shipment have come beside each other. */
import { samePlace } from "../sources/carrier-event.ts";
import type { ContainerStatus, Reading } from "../status/status.ts";
import type { Whereabouts } from "../status/whereabouts.ts";

/** On a sailing leg, and once the legs are done. */
const AT_SEA: readonly Whereabouts[] = ["sailing", "anchored", "berthed", "transshipment"];
const ASHORE: readonly Whereabouts[] = ["discharged", "on_carriage", "available"];

const LEGS_MAX = 1_000;

/** Only compared with that of other boxes. A box that was called off holds up none of the others. */
export function progressOf({ voyage, route }: Reading, status: ContainerStatus): number {
  if (status === "cancelled") return LEGS_MAX * 10 + 3;
  if (status === "returned_empty") return LEGS_MAX * 10 + 2;
  if (status === "delivered") return LEGS_MAX * 10 + 1;
  if (status === "unknown") return 0;
  const atSea = AT_SEA.indexOf(voyage.where);
  if (atSea >= 0)
    return Math.min(voyage.departures.length + voyage.unreported.length + 1, LEGS_MAX) * 5 + atSea;
  const ashore = ASHORE.indexOf(voyage.where);
  if (ashore < 0) return 1;
  const inland = route.inland.kind === "known" && samePlace(voyage.place, route.inland.place);
  const waiting = voyage.hold === null ? 0.5 : 0;
  return LEGS_MAX * 5 + 5 + (inland ? ASHORE.length : 0) + ashore + waiting;
}
