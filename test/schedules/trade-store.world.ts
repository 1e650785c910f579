/** Some weeks of three carriers of the simulated trade, in the store, and their truth; trade-store.soak.ts has a quarter of all. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInStore } from "./trade-store.ts";
import { TRADE_START_MS } from "./trade.ts";

test("some weeks raise exactly the events that the truth calls for, though each step is done twice", async () => {
  const trade = createTrade({ seed: 3, startMs: TRADE_START_MS });
  const plan = { days: 24, fetchHours: 23, checkHours: 6, carriers: ["LOON", "MYNA", "PLVR"] };
  const { differences, events } = await compareInStore(trade, plan);
  assert.deepEqual(differences, []);
  for (const type of ["blank_sailing", "sailing_slipped", "cutoff_approaching"]) {
    assert.ok(events.filter((event) => event.type === type).length >= 5, type);
  }
});
