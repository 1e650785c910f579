/** Last free days that stand in the answer before the box is ashore: foreseen on a plan, or left over from before. */
import { seededRandom } from "../world/seeded-random.ts";
import { dayAfter } from "./calendar.ts";
import type { Fact } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Line } from "./lines.ts";

const SHARE = 0.6;

/**
 * One day, whenever the ship then comes: on her arrival at the last port, where it stands for as long as the line says
 * nothing at the discharge; on the planned discharge; or on a gate of the first port, which is about something else.
 */
export function withForeseenDays(
  seed: number,
  first: number,
  { reporting }: Line,
  { legs, ashore }: Journey,
  facts: readonly Fact[],
): readonly Fact[] {
  const draws = seededRandom(seed, "foreseen", first);
  const last = legs.findLast(({ sailed }) => sailed !== null);
  if (!reporting.statesFreeDays || ashore === null || last === undefined || !draws.chance(SHARE))
    return facts;
  const { port } = ashore;
  const kind = draws.pick(["arrival", "arrival alone", "discharge", "gate"] as const);
  const days = draws.integer(-3, 6);
  const isLast = ({ leg, place, trip }: Fact): boolean => trip === 0 && leg === last.key && place === port;
  const planned = facts.find((fact) => fact.step === "arrival" && isLast(fact));
  const landed = facts.find(
    (fact) => fact.step === "discharge" && fact.classifier === "actual" && isLast(fact),
  );
  if (planned === undefined || landed === undefined) return facts;
  const foreseen = dayAfter(planned.atMs, port, days);
  // The day before the discharge may be one of an old plan, or of another zone.
  const isUnclear = foreseen === dayAfter(landed.atMs, port, -1);
  const lastFreeDay = isUnclear ? dayAfter(landed.atMs, port, -2) : foreseen;
  return facts.map((fact) => {
    if (kind === "gate") return fact.step === "gate_in" ? { ...fact, lastFreeDay } : fact;
    if (!isLast(fact)) return fact;
    if (kind === "discharge")
      return fact.step === "discharge" && fact.classifier !== "actual" ? { ...fact, lastFreeDay } : fact;
    if (fact.step === "arrival") return { ...fact, lastFreeDay };
    return kind === "arrival alone" && fact.step === "discharge" ? { ...fact, lastFreeDay: null } : fact;
  });
}
