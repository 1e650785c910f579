/** Where the plan takes a box, and whether it was landed somewhere else. */
import type { PlaceCode } from "../world/places.ts";
import type { Fact } from "./fact.ts";

export type Announced = {
  readonly lastLeg: number;
  readonly vessel: string | null;
  readonly ports: ReadonlySet<PlaceCode | null>;
};

function isArrivalOf({ step, leg }: Fact, of: number | null): boolean {
  return leg === of && (step === "arrival" || step === "discharge");
}

export function announcedBy(plans: readonly Fact[]): Announced | null {
  const arrivals = plans.filter(({ step }) => step === "arrival" || step === "discharge");
  const last = arrivals.toSorted((a, b) => a.order - b.order).at(-1);
  if (last === undefined) return null;
  return {
    lastLeg: last.leg as number,
    vessel: last.vessel?.imo ?? null,
    ports: new Set(arrivals.map(({ place }) => place)),
  };
}

/**
 * Landed elsewhere than its ship was to take it; if the plan has left the answer, elsewhere than the ship of the
 * last leg announced was.
 */
export function misroutedOf(
  moves: readonly Fact[],
  plans: readonly Fact[],
  before: Announced | null,
): Fact | null {
  const isMisrouted = ({ step, leg, place, vessel, onward }: Fact): boolean => {
    if (step !== "discharge" || onward) return false;
    if (plans.some((plan) => isArrivalOf(plan, leg) && plan.place !== place)) return true;
    if (before === null || leg !== before.lastLeg || before.ports.has(place)) return false;
    return before.vessel === null || vessel === null || before.vessel === vessel.imo;
  };
  return moves.find(isMisrouted) ?? null;
}
