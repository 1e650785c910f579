/** The truth of the simulated trade in many worlds; see trade-truth.world.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInMemory } from "./trade-comparison.ts";
import { TRADE_START_MS } from "./trade.ts";

const WORLDS = 20;
/** Polled more often in every other world. */
const FETCH_HOURS = [13, 3] as const;

for (let seed = 100; seed < 100 + WORLDS; seed += 1) {
  test(`the events raised in the world of seed ${seed} are the events of the truth`, async () => {
    const trade = createTrade({ seed, startMs: TRADE_START_MS });
    const plan = { days: 91, fetchHours: FETCH_HOURS[seed % 2]!, checkHours: 1 };
    const { differences } = await compareInMemory(trade, plan);
    assert.deepEqual(differences, []);
  });
}
