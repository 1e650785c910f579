/** A quarter of the simulated trade in the store, and its truth; see trade-store.world.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInStore } from "./trade-store.ts";
import { TRADE_START_MS } from "./trade.ts";

for (const seed of [1, 2, 3]) {
  test(`a quarter of world ${seed} raises exactly the events that the truth calls for`, async () => {
    const trade = createTrade({ seed, startMs: TRADE_START_MS });
    const { differences } = await compareInStore(trade, { days: 91, fetchHours: 9, checkHours: 1 });
    assert.deepEqual(differences, []);
  });
}
