/**
 * A quarter of the simulated trade and its truth: it raises exactly the events that docs/schedules.md calls for, none
 * missing, none twice. trade.soak.ts has more worlds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { roundVoyageOf } from "../../packages/simulator/src/liners/round-voyages.ts";
import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { compareInMemory } from "./trade-comparison.ts";
import { compareInStore } from "./trade-store.ts";
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

/** The least of each that the world must show: of what the search says, and of what is reported of long voyages. */
const SHOWN_MIN: readonly (readonly [what: string, about: RegExp, least: number])[] = [
  ["uncertain departures", / uncertain, reinstated/, 60],
  ["reinstated departures", /, reinstated 2/, 40],
  ["blanked departures", / blanked, reinstated/, 30],
  ["long voyages that vanish", /^voyage missing (PLVR P1|QUAI Q1|KITE K1)/, 3],
  ["voyages that vanish", /^voyage missing/, 10],
];

/** The least share of calls that each class concerns. */
const SHARES_MIN: Readonly<Record<string, number>> = {
  gone: 0.06,
  with_voyage: 0.01,
  claimed: 0.02,
  replanned: 0.03,
};

test("the world has calls of every class", () => {
  const trade = createTrade({ seed: SEED, startMs: TRADE_START_MS });
  const codes = trade.carriers.flatMap(({ services }) => services);
  const rounds = codes.flatMap((code) =>
    Array.from({ length: 25 }, (_, round) => roundVoyageOf(SEED, TRADE_START_MS, code, round)),
  );
  const calls = rounds.flat();
  for (const [what, least] of Object.entries(SHARES_MIN)) {
    const those = calls.filter(
      ({ disruptions, replannedMs }) =>
        disruptions.some(({ kind }) => kind === what) || (what === "replanned" && replannedMs !== null),
    );
    const share = those.length / calls.length;
    assert.ok(share >= least, `${what}: ${share}, not ${least}`);
  }
});

test("the events raised over a quarter are exactly the events of the truth", async () => {
  const trade = createTrade({ seed: SEED, startMs: TRADE_START_MS });
  const { differences, events } = await compareInMemory(trade, QUARTER);
  assert.deepEqual(differences, []);
  const raised = Map.groupBy(events, ({ type }) => type);
  for (const [type, least] of Object.entries(EVENTS_MIN)) {
    const count = raised.get(type)?.length ?? 0;
    assert.ok(count >= least, `${type}: ${count}, not ${least}`);
  }
  for (const [what, pattern, least] of SHOWN_MIN) {
    const count = events.filter(({ about }) => pattern.test(about)).length;
    assert.ok(count >= least, `${what}: ${count}, not ${least}`);
  }
});

test("some weeks raise them in the store as well, though each step is done twice", async () => {
  const trade = createTrade({ seed: 3, startMs: TRADE_START_MS });
  const plan = { days: 24, fetchHours: 23, checkHours: 6, carriers: ["LOON", "MYNA", "PLVR"] };
  const { differences, events } = await compareInStore(trade, plan);
  assert.deepEqual(differences, []);
  for (const type of ["blank_sailing", "sailing_slipped", "cutoff_approaching"])
    assert.ok(events.filter((event) => event.type === type).length >= 5, type);
});
