/** What is a change of a lane's rate, and the data of its event (spec 6.2: lane_rate_updated). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { isSamePrice, laneRateUpdated, type LaneChange } from "../../src/products/rates/lanes/change.ts";
import { surchargeViews } from "../../src/products/rates/lanes/surcharges.ts";
import { NO_TERMS } from "../../src/products/rates/lanes/terms.ts";
import { basketOf, basketText } from "../../src/products/rates/indices/basket.ts";
import type { Price } from "../../src/products/rates/lanes/lane.ts";

const LANE = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", carrier: "HRNL", currency: "USD" };
const OFFER = { kind: "contract", contract: "SC-118", commodity: "FURNITURE" } as const;
const TERMS = { ...NO_TERMS, transit_days: 32, destination_combined_free_days: 14 };
const PLAIN = { name: null, per: "container", percent: null, currency: null } as const;
const BAF = { ...PLAIN, code: "BAF", amount: 12_050n, included: false };
const THC = { ...PLAIN, code: "THC", amount: -5n, included: true };
const OLD = { layer: "standard", base: 100_000n, surcharges: [], total: 100_000n } as const;
const NEW: Price = { base: 110_000n, surcharges: [BAF, THC], total: 122_050n };
const NOW = {
  ...NEW,
  layer: "promotion",
  terms: TERMS,
  validFrom: "2026-11-01",
  validTo: "2026-11-30",
} as const;

const CHANGE: LaneChange = {
  laneId: "a-lane",
  lane: { ...LANE, ...OFFER },
  reason: "loaded",
  effectiveOn: "2026-11-01",
  old: OLD,
  now: NOW,
};

describe("two prices", () => {
  const baf = (more: Partial<Price["surcharges"][number]>): Price => ({
    ...{ ...NEW, surcharges: [{ ...BAF, ...more }, THC] },
  });
  const CASES: readonly [what: string, one: Price | null, other: Price | null, isSame: boolean][] = [
    ["where there is none on either side", null, null, true],
    ["where one is none", null, NEW, false],
    ["where the other is none", NEW, null, false],
    ["where all of them is the same", NEW, { ...NEW, surcharges: [{ ...BAF }, { ...THC }] }, true],
    ["with another base", NEW, { ...NEW, base: 1n }, false],
    ["with another total", NEW, { ...NEW, total: 1n }, false],
    ["with a surcharge by bill", NEW, baf({ per: "bill" }), false],
    ["with a surcharge in another currency", NEW, baf({ currency: "EUR" }), false],
    ["with a surcharge of another name", NEW, baf({ name: "Bunker" }), true],
    ["with a surcharge more", NEW, { ...NEW, surcharges: [BAF, THC, BAF] }, false],
    ["with a surcharge less", NEW, { ...NEW, surcharges: [BAF] }, false],
    ["with a surcharge of another code", NEW, baf({ code: "X" }), false],
    ["with a surcharge of another amount", NEW, baf({ amount: 1n }), false],
    ["with a surcharge that is included", NEW, baf({ included: true }), false],
  ];
  for (const [what, one, other, isSame] of CASES) {
    test(`are ${isSame ? "the same" : "not the same"} ${what}`, () =>
      assert.equal(isSamePrice(one, other), isSame));
  }
});

describe("lane_rate_updated", () => {
  test("has the old price, the new one and the change", () =>
    assert.deepEqual(laneRateUpdated(CHANGE), {
      lane_id: "a-lane",
      ...LANE,
      ...OFFER,
      reason: "loaded",
      effective_on: "2026-11-01",
      old_base: "1000.00",
      old_total: "1000.00",
      new_base: "1100.00",
      new_total: "1220.50",
      change: "220.50",
      change_percent: "22.05",
      surcharges: [
        { ...PLAIN, code: "BAF", amount: "120.50", included: false, currency: "USD" },
        { ...PLAIN, code: "THC", amount: "-0.05", included: true, currency: "USD" },
      ],
      not_in_total: [],
      old_layer: "standard",
      new_layer: "promotion",
      valid_from: "2026-11-01",
      valid_to: "2026-11-30",
      ...TERMS,
    }));

  const partOf = (change: Partial<LaneChange>) => {
    const data = laneRateUpdated({ ...CHANGE, ...change }) as Record<string, unknown>;
    const names = [
      "old_total",
      "new_total",
      "change",
      "change_percent",
      "surcharges",
      "valid_from",
      "valid_to",
    ];
    return names.map((name) => data[name]);
  };

  test("has no change where a rate begins or ends", () => {
    const nothing = { old: null, now: null };
    assert.deepEqual(partOf({ ...nothing, old: OLD }), ["1000.00", null, null, null, [], null, null]);
    const begins = partOf({ ...nothing, now: { ...NOW, surcharges: [], validTo: null } });
    assert.deepEqual(begins, [null, "1220.50", null, null, [], "2026-11-01", null]);
  });

  test("has no percentage of zero", () => {
    const [, , change, percent] = partOf({ old: { ...OLD, total: 0n } });
    assert.deepEqual([change, percent], ["1220.50", null]);
  });
});

test("the amounts of surcharges have the digits of their currency", () => {
  const shown = { ...PLAIN, code: "BAF", amount: "12050", included: false, currency: "JPY" };
  assert.deepEqual(surchargeViews([BAF], "JPY"), [shown]);
  assert.deepEqual(surchargeViews([{ ...BAF, currency: "KWD" }], "JPY"), [
    { ...shown, amount: "12.050", currency: "KWD" },
  ]);
});

test("a basket is read back as it was stored", () => {
  const basket = [
    { lane: LANE, weight: 2_500n, basePrice: 9_007_199_254_740_993n },
    { lane: { ...LANE, carrier: null }, weight: 7_500n, basePrice: 1n },
    { lane: { ...LANE, currency: "JPY" }, weight: 1n, basePrice: 3n },
  ];
  assert.deepEqual(basketOf({ basket: basketText(basket, "USD"), currency: "USD" }), basket);
});
