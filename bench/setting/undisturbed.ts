/**
 * Measures again what was measured while other processes were busy: two cores are soon shared, and a rate on half
 * a machine says nothing. Bounded, and the report says how calm it was in the end.
 */
import { percent } from "../report/result.ts";
import type { Bench } from "./bench.ts";
import { processorTime, shareOfOthers } from "./processor-time.ts";

/** Others' share of the machine beyond which a measurement is taken again. */
export const OTHERS_SHARE_MAX = 0.1;
const TRIES_MAX = 3;

/** How many measurements of one figure may be taken again. */
export type Retries = { left: number };

/** Measures so often, by turns with what `measure` compares, each turn undisturbed. */
export async function measureTurns<T>(
  bench: Bench,
  measure: (turn: number) => Promise<T>,
  turns: number = bench.plan.repeats,
): Promise<T[]> {
  const patience = { left: bench.plan.retries };
  const measured: T[] = [];
  for (let turn = 0; turn < turns; turn++)
    measured.push(await measureUndisturbed(bench, patience, () => measure(turn)));
  return measured;
}

/** Measures until nobody disturbs, or patience ends; then the calmest counts. */
export async function measureUndisturbed<T>(
  bench: Bench,
  patience: Retries,
  measure: () => Promise<T>,
): Promise<T> {
  let best: { readonly value: T; readonly share: number } | null = null;
  for (let tries = 1; ; tries++) {
    const before = processorTime({ bench: process.pid });
    const value = await measure();
    const share = shareOfOthers(before, processorTime({ bench: process.pid }));
    if (best === null || share < best.share) best = { value, share };
    if (best.share <= OTHERS_SHARE_MAX || tries === TRIES_MAX || patience.left === 0) break;
    patience.left -= 1;
    bench.say(`  others had ${percent(share)} of the machine: once more`);
  }
  bench.othersShares.push(best.share);
  return best.value;
}
