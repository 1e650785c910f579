/** The discharging ship's next call, which stands in the answers of some boxes that have left her for good. */
import { seededRandom } from "../world/seeded-random.ts";
import { DAY_MS } from "../world/durations.ts";
import type { Fact } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Line } from "./lines.ts";
import { orderOf } from "./reporting-context.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** Her arrival alone, planned from the discharge on, and then as it was. */
export function withNextCall(
  seed: number,
  first: number,
  { reporting }: Line,
  { legs, ashore }: Journey,
  facts: readonly Fact[],
  startMs: number,
): readonly Fact[] {
  const leg = legs.findLast(({ sailed }) => sailed !== null);
  const { voyage, discharge } = leg?.bookings.at(-1) ?? {};
  if (leg === undefined || ashore === null || voyage === undefined || discharge === undefined) return facts;
  const next = voyage.calls[voyage.calls.indexOf(discharge) + 1];
  if (next === undefined || !seededRandom(seed, "next_call", first).chance(reporting.nextCallShare))
    return facts;
  const arrival = facts.find((fact) => fact.step === "arrival" && fact.leg === leg.key && isActual(fact));
  const landed = facts.filter((fact) => fact.step === "discharge" && fact.leg === leg.key && isActual(fact));
  // Beside a discharge that no plan announced, it would be the box's own.
  if (arrival === undefined || landed.length === 0) return facts;
  const fromMs = Math.max(...landed.map((fact) => fact.fromMs));
  if (Math.min(arrival.fromMs, fromMs) <= startMs) return facts;
  const arrivedMs = Math.max(next.actual.arrivalMs, fromMs + DAY_MS);
  const call: Fact = {
    ...arrival,
    step: "next_call",
    leg: null,
    order: orderOf(leg) + 80,
    atMs: arrivedMs,
    place: next.port,
    form: "code",
    lastFreeDay: null,
    fromMs: arrivedMs,
    untilMs: NEVER,
  };
  return [...facts, { ...call, classifier: "estimated", fromMs, untilMs: arrivedMs }, call];
}

function isActual({ classifier, untilMs }: Fact): boolean {
  return classifier === "actual" && untilMs === NEVER;
}
