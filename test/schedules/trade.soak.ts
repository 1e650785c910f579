/** The simulated trade in many worlds, and their truth, in memory and in the store; see trade-truth.world.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInMemory } from "./trade-comparison.ts";
import { compareInStore } from "./trade-store.ts";
import { TRADE_START_MS } from "./trade.ts";

/** Polled more often in every other world. */
for (let seed = 100; seed < 120; seed += 1) {
  test(`the events raised in the world of seed ${seed} are the events of the truth`, async () => {
    const trade = createTrade({ seed, startMs: TRADE_START_MS });
    const plan = { days: 91, fetchHours: [13, 3][seed % 2]!, checkHours: 1 };
    assert.deepEqual((await compareInMemory(trade, plan)).differences, []);
  });
}

for (const seed of [1, 2, 3]) {
  test(`a quarter of world ${seed} in the store raises exactly the events of the truth`, async () => {
    const trade = createTrade({ seed, startMs: TRADE_START_MS });
    const { differences } = await compareInStore(trade, { days: 91, fetchHours: 9, checkHours: 1 });
    assert.deepEqual(differences, []);
  });
}
