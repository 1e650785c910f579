/** What is to be believed of one box at one moment, answer after answer: which trip, and which statements. */
import type { Fact } from "./fact.ts";
import { hasHappened } from "./true-state.ts";

export type Believed = {
  readonly reportedMs: number;
  readonly facts: readonly Fact[];
  readonly trip: number;
  /** Another trip than the one before it. */
  readonly begins: boolean;
  /** The answer lacks an end for the first time, and is not believed. */
  readonly doubts: boolean;
  /** The trip had ended by the first answer: the next one follows. */
  readonly awaits: boolean;
};

/** `answer`: what the line says at `nowMs` of the box, of all trips, as of `reportedMs`. */
export function believe(
  answer: readonly Fact[],
  before: Believed | null,
  nowMs: number,
  reportedMs: number,
): Believed {
  const trips = [...new Set(answer.map(({ trip }) => trip))].toSorted((a, b) => a - b);
  if (before === null) {
    const trip = trips.at(-1) ?? 0;
    const facts = answer.filter((fact) => fact.trip === trip);
    const awaits = facts.some((fact) => isEnd(fact, nowMs));
    return { reportedMs, facts, trip, begins: false, doubts: false, awaits };
  }
  const next = before.awaits ? trips.find((trip) => trip > before.trip) : undefined;
  if (next !== undefined) {
    const facts = answer.filter(({ trip }) => trip === next);
    return { reportedMs, facts, trip: next, begins: true, doubts: false, awaits: false };
  }
  const { trip, awaits } = before;
  const said = answer.filter((fact) => fact.trip === trip);
  // A gate-out that a known return leaves behind is the end no more.
  const ends = before.facts.filter((fact) => isEnd(fact, nowMs));
  const end = ends.find(({ step }) => step === "empty_return") ?? ends[0];
  const isMissing = end !== undefined && !said.some(({ step }) => step === end.step);
  if (isMissing && !before.doubts) return { ...before, begins: false, doubts: true };
  return { reportedMs, facts: said, trip, begins: false, doubts: false, awaits };
}

function isEnd(fact: Fact, nowMs: number): boolean {
  return (fact.step === "gate_out" || fact.step === "empty_return") && hasHappened(fact, nowMs);
}
