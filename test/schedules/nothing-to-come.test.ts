/** Feeds of the simulated trade that list no call to come: the record and the truth take the answer for the same. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CallReport } from "../../packages/simulator/src/liners/reporting.ts";
import { createTrade, type LinerTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInMemory } from "./trade-comparison.ts";
import { DAY_MS } from "./statements.ts";
import { TRADE_START_MS } from "./trade.ts";

const PLAN = { days: 6, fetchHours: 40, checkHours: 48, carriers: ["ORIL", "PLVR"] };

/** After a day, feeds list only these of their calls. */
function tradeThatLists(isListed: (report: CallReport) => boolean): LinerTrade {
  const trade = createTrade({ seed: 1, startMs: TRADE_START_MS });
  return {
    ...trade,
    reports(carrier, feed, question, nowMs) {
      const reports = trade.reports(carrier, feed, question, nowMs);
      return nowMs < TRADE_START_MS + DAY_MS ? reports : reports.filter(isListed);
    },
  };
}

for (const [what, isListed, wanted] of [
  [
    "nothing at all: calls are uncertain by vessel, and gone by service",
    () => false,
    ["uncertain", "missing"],
  ],
  ["past calls alone: calls are uncertain", ({ departure }) => departure.actual !== null, ["uncertain"]],
] as const satisfies readonly (readonly [string, (report: CallReport) => boolean, readonly string[]])[]) {
  test(`the truth of feeds that list ${what}`, async () => {
    const { differences, events } = await compareInMemory(tradeThatLists(isListed), PLAN);
    assert.deepEqual(differences, []);
    const states = events.flatMap(({ type, about }) =>
      type === "call_state" ? [/ (\w+), reinstated/.exec(about)?.[1]] : [],
    );
    for (const state of wanted) assert.ok(states.filter((one) => one === state).length > 10, state);
  });
}
