/**
 * A quarter of the simulated trade and its truth: it raises exactly the events that docs/schedules.md calls for, none
 * missing, none twice. trade-truth.soak.ts has more worlds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInMemory } from "./trade-comparison.ts";
import { TRADE_START_MS } from "./trade.ts";

const SEED = 1;
const QUARTER = { days: 91, fetchHours: 20, checkHours: 1 };
/** The least that the world must cause, so that the comparison means something. */
const EVENTS_MIN: Readonly<Record<string, number>> = {
  blank_sailing: 50,
  cutoff_approaching: 1_000,
  sailing_slipped: 400,
  reliability_drop: 3,
};

test("the events raised over a quarter are exactly the events of the truth", async () => {
  const trade = createTrade({ seed: SEED, startMs: TRADE_START_MS });
  const { differences, events } = await compareInMemory(trade, QUARTER);
  assert.deepEqual(differences, []);
  const raised = Map.groupBy(events, ({ type }) => type);
  for (const [type, least] of Object.entries(EVENTS_MIN)) {
    const count = raised.get(type)?.length ?? 0;
    assert.ok(count >= least, `${type}: ${count}, not ${least}`);
  }
});
