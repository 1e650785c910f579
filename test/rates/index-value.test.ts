/** The value of an index: what holds of its arithmetic whatever the basket, and when it is due. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { firstDueMs } from "../../src/products/rates/indices/define.ts";
import { indexValue } from "../../src/products/rates/indices/value.ts";
import { daysBefore, indexValueView } from "../../src/products/rates/indices/view.ts";

describe("the value of an index", () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const weight = fc.bigInt({ min: 1n, max: 10n ** 6n });

  test("is the base value where nothing has changed, and goes with all prices as one", () => {
    const basket = fc.array(fc.record({ weight, basePrice: price }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(basket, fc.bigInt({ min: 1n, max: 50n }), (lanes, times) => {
        const priced = lanes.map((one) => ({ ...one, price: one.basePrice * times }));
        assert.deepEqual(indexValue(100_000n, priced), { value: 100_000n * times, coverage: 10_000n });
      }),
    );
  });

  test("lies between the least and the greatest change of a lane", () => {
    const basket = fc.array(fc.record({ weight, basePrice: price, price }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(basket, (lanes) => {
        const { value } = indexValue(100_000n, lanes);
        assert.ok(value !== null);
        const most = lanes.some((one) => (value - 1n) * one.basePrice <= 100_000n * one.price);
        const least = lanes.some((one) => (value + 1n) * one.basePrice >= 100_000n * one.price);
        assert.ok(most && least, String(value));
      }),
    );
  });

  test("needs lanes worth half of the basket on the base date, whatever they cost on the day", () => {
    const worth = (basePrice: bigint, isPriced: boolean) => ({
      weight: 2n,
      basePrice,
      price: isPriced ? 3n * basePrice : null,
    });
    const of = (priced: bigint, missing: bigint) =>
      indexValue(100_000n, [worth(priced, true), worth(missing, false)]);
    assert.deepEqual(of(5_000n, 5_000n), { value: 300_000n, coverage: 5_000n });
    assert.deepEqual(of(4_999n, 5_001n), { value: null, coverage: 4_999n });
  });

  test("is due on its day of the week at its hour, after the base date", () => {
    const friday = { hourUtc: 12, baseDate: "2026-11-02" };
    const at = (text: string) => Date.parse(text);
    for (const [now, due] of [
      ["2026-11-02T12:00:00Z", "2026-11-06T12:00:00Z"],
      ["2026-11-06T12:00:00Z", "2026-11-06T12:00:00Z"],
      ["2026-11-06T12:00:00.001Z", "2026-11-13T12:00:00Z"],
    ] as const) {
      assert.equal(firstDueMs(friday, 5, at(now)), at(due));
    }
    const monday = { hourUtc: 13, baseDate: "2026-11-02" };
    assert.equal(
      firstDueMs(monday, 1, at("2026-10-31T00:00:00Z")),
      at("2026-11-09T13:00:00Z"),
      "its base date",
    );
    assert.equal(firstDueMs(monday, 7, at("2026-11-03T00:00:00Z")), at("2026-11-08T13:00:00Z"));
    assert.equal(daysBefore("2026-03-02", 3), "2026-02-27");
  });

  const lane = (weighs: bigint, costs: bigint | null) => ({ weight: weighs, basePrice: 100n, price: costs });

  test("weighs the lanes, and leaves lanes without a price out of both sums", () => {
    assert.deepEqual(indexValue(1_000n, [...[lane(3n, 200n), lane(1n, 100n), lane(1n, null)]]), {
      value: 1_750n,
      coverage: 8_000n,
    });
  });

  test("changes by the difference, and by percent unless it was zero", () => {
    const valueOf = (dated: string, value: string) => {
      const lanes = { lanesCarried: 0, lanesMissing: 0 };
      return { dated, value, coverage: 10_000, ...lanes, computedAt: new Date(0), exchangeRates: null };
    };
    const since = (before: string, value: string) => {
      const shown = indexValueView(valueOf("2026-11-08", value), [valueOf("2026-11-01", before)]);
      return [shown.previous?.change, shown.previous?.change_percent];
    };
    assert.deepEqual(since("200", "250"), ["0.50", "25.00"]);
    assert.deepEqual(since("200", "150"), ["-0.50", "-25.00"]);
    assert.deepEqual(since("0", "150"), ["1.50", null]);
  });
});
