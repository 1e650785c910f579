/** What twice as much takes is twice as long, and holds the loop no longer: in counted steps, which no machine changes. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { COUNTED, stepsCounted } from "./counted.ts";
import type * as growing from "./growing/intakes.ts";

const { INTAKES } = (await import(`./growing/intakes.ts${COUNTED}`)) as typeof growing;

/** The clock of the readers: about as fast as a slow processor. */
const STEPS_A_MS = 2_000;
const clock = { monotonicMs: () => stepsCounted() / STEPS_A_MS };

/** A text that is refused at its beginning shows nothing of its end. */
const GROWTH_MIN = 1.5;
/** One step for each pair of `n` elements shows, where an element takes fewer than `3 * n`. */
const GROWTH_MAX = 2.25;
/** Between two turns of the loop, some ten milliseconds. */
const HOLD_STEPS_MAX = 500_000;

/** How many steps the work takes, and at most between two turns of the loop. */
async function stepsOf(work: () => unknown): Promise<{ readonly all: number; readonly held: number }> {
  let [held, last, isOver] = [0, stepsCounted(), false];
  const first = last;
  const look = (): void => {
    [held, last] = [Math.max(held, stepsCounted() - last), stepsCounted()];
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  look();
  isOver = true;
  return { all: last - first, held };
}

for (const [intake, { read, texts }] of Object.entries(INTAKES)) {
  for (const [name, [n, textOf]] of Object.entries(texts)) {
    test(`twice as much takes twice the steps: ${intake}, ${name}`, async (t) => {
      await read(textOf(2), clock);
      const once = await stepsOf(() => read(textOf(n), clock));
      const twice = await stepsOf(() => read(textOf(2 * n), clock));
      const growth = twice.all / once.all;
      t.diagnostic(`${once.all} and ${twice.all} steps, ${once.held} and ${twice.held} between two turns`);
      assert.ok(growth > GROWTH_MIN, `${growth.toFixed(2)} times the steps: the text is not read`);
      assert.ok(growth < GROWTH_MAX, `${growth.toFixed(2)} times the steps`);
      assert.ok(twice.held < HOLD_STEPS_MAX, `${twice.held} steps between two turns of the loop`);
    });
  }
}
