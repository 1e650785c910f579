/** A line that answers by turns from two caches: when something has happened, one of them does not know it yet. */
import { seededRandom, randomDurationMs } from "../world/seeded-random.ts";
import { MINUTE_MS } from "../world/durations.ts";
import type { Fact, Step } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { ReportingQuality } from "./reporting-quality.ts";

/** While it lasts, the answer is the one of an earlier moment. */
export type OlderAnswers = { readonly fromMs: number; readonly untilMs: number; readonly asOfMs: number };

const TURNS_MAX = 3;
/** The older cache is this far behind at most, hours. */
const BEHIND_HOURS_MAX = 6;

/** Of one departure, arrival or roll-over of the consignment. */
export function olderAnswersOf(
  seed: number,
  first: number,
  { twoCachesShare }: ReportingQuality,
  { legs }: Journey,
  facts: readonly Fact[],
): readonly OlderAnswers[] {
  const draws = seededRandom(seed, "caches", first);
  if (!draws.chance(twoCachesShare)) return [];
  const saidOf = (step: Step): readonly number[] =>
    facts
      .filter((fact) => fact.step === step && fact.classifier === "actual" && fact.trip === 0)
      .map(({ fromMs }) => fromMs);
  const rolledMs = legs.flatMap(({ bookings, leftBehind }) =>
    leftBehind.length > 0 ? [bookings.at(-1)?.fromMs ?? 0] : [],
  );
  const kinds = [saidOf("departure"), saidOf("arrival"), rolledMs].filter(({ length }) => length > 0);
  if (kinds.length === 0) return [];
  const moments = draws.pick(kinds);
  const newsMs = draws.pick(moments);
  const asOfMs = newsMs - randomDurationMs(draws, 0, BEHIND_HOURS_MAX) - MINUTE_MS;
  const turns = draws.integer(1, TURNS_MAX);
  return Array.from({ length: turns }, (_, turn) => {
    const fromMs = newsMs + (turn * 40 + 20) * MINUTE_MS;
    return { fromMs, untilMs: fromMs + 20 * MINUTE_MS, asOfMs };
  });
}

/** The moment that the answer given at `atMs` is of. */
export function answeredAsOfMs(older: readonly OlderAnswers[], atMs: number): number {
  return older.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)?.asOfMs ?? atMs;
}
