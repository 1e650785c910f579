/** What an airline never says of a waybill. */
import type { SeededRandom } from "../world/seeded-random.ts";
import type { Airline } from "./airlines.ts";
import { isDelivery, type Milestone } from "./milestone.ts";

export function unsaidOf(
  { unreportedCodes, silentShare, terseShare }: Airline,
  draws: SeededRandom,
  happenings: readonly Milestone[],
  isBare: boolean,
): (happening: Milestone) => boolean {
  const isSilent = draws.chance(silentShare);
  const isTerse = draws.chance(terseShare);
  const reported = happenings.filter(({ code }) => !unreportedCodes.includes(code));
  const loadedMs = firstMs(reported.filter(({ code }) => code === "MAN" || code === "DEP"));
  const departedMs = firstMs(reported.filter(({ code }) => code === "DEP"));
  return (happening) => {
    const { code, knownMs } = happening;
    if (unreportedCodes.includes(code) || (isBare && !isDelivery(happening))) return true;
    if (isSilent && knownMs < loadedMs) return true;
    return isTerse && knownMs > departedMs && !isDelivery(happening);
  };
}

function firstMs(happenings: readonly Milestone[]): number {
  return Math.min(...happenings.map(({ knownMs }) => knownMs));
}
