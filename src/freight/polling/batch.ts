/**
 * Lets the calls of a few milliseconds share one statement. While a batch runs, the next one gathers, so batches
 * grow with the load.
 *
 *     call ─▶ gathered ─▶ running ─▶ answered, each with its own answer, or all with the same fault
 */
import { sleep } from "../../runtime/sleep.ts";
import type { Clock } from "../../runtime/clock.ts";

export type BatchSettings = {
  /** The most calls of one batch. */
  readonly callsMax: number;
  /** How long the first call of a batch waits for others. */
  readonly gatherMs: number;
};

type Call<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: unknown) => void;
};

/** `run` returns an answer for each item, in order. */
export function createBatch<Item, Answer>(
  { callsMax, gatherMs }: BatchSettings,
  clock: Clock,
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let gathered: Call<Item, Answer>[] = [];
  let isUnderWay = false;

  const go = async (): Promise<void> => {
    if (isUnderWay) return;
    isUnderWay = true;
    while (gathered.length > 0) {
      if (gatherMs > 0 && gathered.length < callsMax) await sleep(clock, gatherMs);
      const calls = gathered.slice(0, callsMax);
      gathered = gathered.slice(callsMax);
      await answer(calls);
    }
    isUnderWay = false;
  };

  const answer = async (calls: readonly Call<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await run(calls.map(({ item }) => item));
      for (const [index, { resolve }] of calls.entries()) resolve(answers[index]!);
    } catch (cause) {
      for (const { reject } of calls) reject(cause);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      void go();
    });
}
