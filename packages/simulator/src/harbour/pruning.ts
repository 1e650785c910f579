/** Lines that keep only the last few statements of a box once it has been delivered. */
import { randomDurationMs, seededRandom } from "../world/seeded-random.ts";
import type { Fact } from "./fact.ts";
import type { Line } from "./lines.ts";

const KEPT_MAX = 4;
const NEVER = Number.POSITIVE_INFINITY;

/** `facts`: those of one box; one that was pruned before `startMs` would be known by nothing but its end. */
export function prunedFacts(
  seed: number,
  box: number,
  { reporting }: Line,
  facts: readonly Fact[],
  startMs: number,
): readonly Fact[] {
  const draws = seededRandom(seed, "pruning", box);
  if (!draws.chance(reporting.prunesShare)) return facts;
  const end =
    facts.find(({ step, trip, untilMs }) => step === "gate_out" && trip === 0 && untilMs === NEVER) ??
    facts.find(({ step, trip, untilMs }) => step === "empty_return" && trip === 0 && untilMs === NEVER);
  if (end === undefined || end.classifier !== "actual") return facts;
  // Often at once, so that no answer ever holds the end and what came first.
  const fromMs = end.fromMs + (draws.chance(0.4) ? 0 : randomDurationMs(draws, 1, 90));
  const kept = draws.integer(1, KEPT_MAX);
  if (fromMs <= startMs) return facts;
  const said = stepsSaid(facts);
  return facts.map((fact) => {
    const at = said.findIndex(({ key }) => key === keyOf(fact));
    const laterMs = said.slice(at + 1).map((step) => step.saidMs);
    const overMs =
      fact.classifier === "actual" && fact.step !== "next_call"
        ? laterMs.toSorted((a, b) => a - b)[kept - 1]
        : fromMs;
    return { ...fact, prunedMs: overMs === undefined ? NEVER : Math.max(fromMs, overMs) };
  });
}

/** Each in the order of time, by the time that proved true; when it was first said. */
function stepsSaid(facts: readonly Fact[]): readonly { readonly key: string; readonly saidMs: number }[] {
  const actual = facts.filter(({ classifier, step }) => classifier === "actual" && step !== "next_call");
  const steps = [...Map.groupBy(actual, keyOf)].map(([key, versions]) => {
    const { atMs, order } = versions.toSorted((a, b) => a.fromMs - b.fromMs).at(-1) as Fact;
    return { key, atMs, order, saidMs: Math.min(...versions.map((version) => version.fromMs)) };
  });
  return steps.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);
}

function keyOf({ trip, order }: Fact): string {
  return `${trip} ${order}`;
}
