/** Plans that leave the answer with a discharge and return when the line has seen to what comes next. */
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { LEFT_SAID_MS } from "./estimates.ts";
import type { Fact } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Leg, Sailed } from "./leg.ts";

/** How soon such a line reports a discharge after which nothing is planned for a while. */
export const DISCHARGE_SAID_MS = 30 * MINUTE_MS;

/** How long nothing is planned, at most. */
const SEEN_TO_MS = 40 * HOUR_MS;

type Gap = { readonly fromMs: number; readonly untilMs: number };

export function withoutPlans(facts: readonly Fact[], { legs }: Journey): readonly Fact[] {
  const sailed = legs.filter((leg): leg is Leg & { sailed: Sailed } => leg.sailed !== null);
  const gaps = sailed.slice(0, -1).flatMap((leg, index) => gapAfter(leg.sailed, sailed[index + 1] as Leg));
  return facts.flatMap((fact) => {
    if (fact.classifier !== "actual") return outsideOf(fact, gaps);
    return [fact.step === "left" ? afterGap(fact, gaps) : fact];
  });
}

/** While nothing else is planned, a ship that sails takes the box along for all that anybody can tell. */
function afterGap(left: Fact, gaps: readonly Gap[]): Fact {
  const gap = gaps.find(({ fromMs, untilMs }) => fromMs <= left.fromMs && left.fromMs <= untilMs);
  return gap === undefined ? left : { ...left, fromMs: gap.untilMs + LEFT_SAID_MS };
}

function gapAfter({ dischargedMs, misroutedUntilMs, releasedMs }: Sailed, next: Leg): readonly Gap[] {
  // Nothing more was planned for it.
  if (releasedMs !== null) return [];
  const fromMs = dischargedMs + DISCHARGE_SAID_MS;
  const loadedMs = next.leftBehind[0]?.aboard?.fromMs ?? (next.sailed as Sailed).loadedMs;
  const untilMs = misroutedUntilMs ?? Math.min(fromMs + SEEN_TO_MS, loadedMs - HOUR_MS);
  return untilMs > fromMs ? [{ fromMs, untilMs }] : [];
}

function outsideOf(plan: Fact, gaps: readonly Gap[]): readonly Fact[] {
  const parts: Fact[] = [];
  let fromMs = plan.fromMs;
  for (const gap of gaps) {
    if (gap.untilMs <= fromMs || gap.fromMs >= plan.untilMs) continue;
    if (gap.fromMs > fromMs) parts.push({ ...plan, fromMs, untilMs: gap.fromMs });
    fromMs = gap.untilMs;
  }
  return fromMs < plan.untilMs ? [...parts, { ...plan, fromMs }] : parts;
}
