/** Money and percentages without floating point. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { minorDigits } from "../../src/products/rates/currency.ts";
import {
  divideRounded,
  formatDecimal,
  parseDecimal,
  percentBetween,
} from "../../src/products/rates/decimal.ts";

const units = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const digits = fc.integer({ min: 0, max: 4 });

describe("exact decimals", () => {
  test("what is written is read as the same, whatever its digits", () => {
    fc.assert(
      fc.property(units, digits, (value, places) => {
        fc.pre(value / 10n ** BigInt(places) < 10n ** 12n && value / 10n ** BigInt(places) > -(10n ** 12n));
        assert.equal(parseDecimal(formatDecimal(value, places), places), value);
      }),
    );
  });

  test("zeros in front and behind say nothing, and any digit beyond the currency's is refused", () => {
    for (const [text, places, expected] of [
      ["1234.5", 2, 123_450n],
      ["0001234.50", 2, 123_450n],
      ["1234.5000", 2, 123_450n],
      ["1234", 0, 1_234n],
      ["1234.00", 0, 1_234n],
      ["-0.05", 2, -5n],
      ["1.234", 3, 1_234n],
      ["999999999999.99", 2, 99_999_999_999_999n],
      ["1234.505", 2, null],
      ["1234.5", 0, null],
      ["1000000000000", 2, null],
    ] as const) {
      assert.equal(parseDecimal(text, places), expected, text);
    }
  });

  test("what is no plain decimal is none", () => {
    const texts = ["", " 1", "+1", "1e3", "1,000.00", "1.", ".5", "0x10", "NaN", "Infinity", "1 000", "１"];
    for (const text of texts) {
      assert.equal(parseDecimal(text, 2), null, JSON.stringify(text));
    }
  });

  test("a quotient is rounded to the nearest whole number, and halves away from zero", () => {
    const rounded = [5n, -5n].map((half) => divideRounded(half, 2n));
    assert.deepEqual([...rounded, divideRounded(-4n, 3n), divideRounded(0n, 7n)], [3n, -3n, -1n, 0n]);
    fc.assert(
      fc.property(units, fc.bigInt({ min: 1n, max: 10n ** 15n }), (dividend, divisor) => {
        const off = dividend - divideRounded(dividend, divisor) * divisor;
        assert.ok(2n * off <= divisor && 2n * off >= -divisor, String(off));
        assert.equal(divideRounded(-dividend, divisor), -divideRounded(dividend, divisor));
      }),
    );
  });

  test("a percentage is the change in hundredths of a percent, and from nothing there is none", () => {
    assert.equal(percentBetween(232_000n, 215_000n), -733n);
    assert.equal(percentBetween(300n, 400n), 3_333n);
    assert.equal(percentBetween(100n, 0n), -10_000n);
    assert.equal(percentBetween(0n, 100n), null);
    // (0.1 + 0.2 − 0.3) is not 0 in floating point.
    assert.equal(percentBetween(30n, 10n + 20n), 0n);
  });

  test("currencies have the digits of ISO 4217", () => {
    const currencies = ["USD", "JPY", "KWD", "IQD", "HUF", "XPF", "DEM", "usd"];
    assert.deepEqual(currencies.map(minorDigits), [2, 0, 3, 3, 2, 0, null, null]);
  });
});
