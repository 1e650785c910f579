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

/** A ship at anchor has not come to its berth yet. */
export function arrivalOf(
  facts: readonly Fact[],
  lastLeg: number,
  landed: Fact | undefined,
): Fact | undefined {
  // Its ship may have called elsewhere before, and carried it past.
  const arrived = facts.filter(
    ({ step, leg, place }) =>
      step === "arrival" && leg === lastLeg && (landed === undefined || place === landed.place),
  );
  return arrived.find(({ classifier }) => classifier === "actual") ?? landed ?? arrived[0];
}

/** Announced, by a plan that is left in the answer too; by a release since the landing, and by what happens on land only. */
export function isEndShown(landed: Fact, facts: readonly Fact[], announced: Announced | null): boolean {
  if (announced?.ports.has(landed.place) === true) return true;
  return facts.some(({ step, order, atMs, classifier, place }) => {
    if (classifier !== "actual")
      return (step === "arrival" || step === "discharge") && place === landed.place;
    if (step === "release") return atMs >= landed.atMs;
    return (
      order > landed.order && (step.startsWith("rail_") || step === "gate_out" || step === "empty_return")
    );
  });
}

/** A plan of the leg that was given up, and stands in the answer. */
export function isLeftOver({ classifier, leg }: Fact, of: number): boolean {
  return classifier !== "actual" && leg === of;
}
