/** Conversion between currencies: what holds whatever the rates, and which rates it takes. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { exchangeInto, type Quote } from "../../src/products/rates/currencies/convert.ts";
import { EXCHANGE_UNIT } from "../../src/products/rates/currencies/exchange-rate.ts";
import {
  exchangeText,
  quoteOf,
  storedExchange,
} from "../../src/products/rates/currencies/stored-exchange.ts";
import { sumOf } from "../../src/products/rates/fraction.ts";
import { minorDigits } from "../../src/products/rates/currency.ts";
import {
  divideRounded,
  formatDecimal,
  parseDecimal,
  percentBetween,
} from "../../src/products/rates/decimal.ts";
import { ValidationError } from "../../src/freight/tables/field.ts";
import { readEquipment } from "../../src/products/rates/lanes/equipment.ts";
import { forAll } from "../support/runs.ts";

const table = (...quotes: readonly Quote[]) => ({ source: "ECB", base: "EUR", quotes });
const quote = (date: string, currency: string, rate: string) => quoteOf(date, currency, rate);

describe("conversion", () => {
  const CURRENCIES = ["EUR", "USD", "JPY", "KWD", "CNY"] as const;
  const anyRate = fc.bigInt({ min: 1n, max: 10n ** 6n * EXCHANGE_UNIT });

  test("there and back gives what there was, exactly, and through a third currency the same as at once", () => {
    const rates = fc.tuple(anyRate, anyRate, anyRate, anyRate);
    const places = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 3, maxLength: 3 });
    forAll(100, rates, places, (given, chosen) => {
      const quotes = given.map((rate, at) => ({ date: "2026-11-19", currency: CURRENCIES[at + 1]!, rate }));
      const [a, b, c] = chosen.map((at) => CURRENCIES[at]!) as [string, string, string];
      const factor = (from: string, into: string) =>
        exchangeInto(table(...quotes), [from], into).factors.get(from)!;
      const [there, back] = [factor(a, b), factor(b, a)];
      assert.equal(there.numerator * back.numerator, there.denominator * back.denominator);
      const [first, second, whole] = [factor(a, c), factor(c, b), there];
      assert.equal(
        first.numerator * second.numerator * whole.denominator,
        first.denominator * second.denominator * whole.numerator,
      );
    });
  });

  test("heeds the digits of each currency", () => {
    const rates = table(quote("2026-11-19", "JPY", "180"), quote("2026-11-19", "KWD", "0.36"));
    const cents = (currency: string, into: string, amount: bigint) => {
      const { numerator, denominator } = exchangeInto(rates, [currency], into).factors.get(currency)!;
      assert.equal((amount * numerator) % denominator, 0n);
      return (amount * numerator) / denominator;
    };
    assert.equal(cents("EUR", "JPY", 100_50n), 18_090n);
    assert.equal(cents("JPY", "EUR", 180n), 1_00n);
    assert.equal(cents("KWD", "JPY", 360n), 180n);
  });

  test("takes the rates of the latest date that has both currencies", () => {
    const rates = table(
      quote("2026-11-20", "USD", "1.3"),
      quote("2026-11-19", "CNY", "8"),
      quote("2026-11-19", "USD", "1.2"),
      quote("2026-11-18", "CNY", "7"),
      quote("2026-11-18", "USD", "1.1"),
    );
    const { quotes, missing, factors } = exchangeInto(rates, ["CNY", "EUR", "INR"], "USD");
    assert.deepEqual(missing, ["INR"]);
    assert.deepEqual([...factors.keys()], ["CNY", "EUR"]);
    assert.deepEqual(quotes, [
      quote("2026-11-20", "USD", "1.3"),
      quote("2026-11-19", "CNY", "8"),
      quote("2026-11-19", "USD", "1.2"),
    ]);
  });

  test("is the same by the rates that are stored with a value as by all that there were", () => {
    const anyQuotes = fc.uniqueArray(
      fc.record({
        date: fc.constantFrom("2026-11-20", "2026-11-19", "2026-11-18"),
        currency: fc.constantFrom("USD", "JPY", "CNY"),
        rate: anyRate,
      }),
      { selector: ({ date, currency }) => `${date} ${currency}` },
    );
    forAll(100, anyQuotes, (quotes) => {
      const inOrder = quotes
        .map((one) => ({ ...one }))
        .toSorted((one, other) => (one.date > other.date ? -1 : 1));
      const exchange = exchangeInto(table(...inOrder), ["JPY", "CNY", "EUR"], "USD");
      const again = storedExchange(exchangeText(exchange), ["JPY", "CNY", "EUR"], "USD");
      assert.deepEqual(again, exchange);
    });
  });
});

test("a sum of fractions is exact", () => {
  const fraction = fc.record({
    numerator: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    denominator: fc.bigInt({ min: 1n, max: 50n }),
  });
  forAll(100, fc.array(fraction, { maxLength: 20 }), (fractions) => {
    const { numerator, denominator } = sumOf(fractions);
    const common = fractions.reduce((product, one) => product * one.denominator, 1n);
    const expected = fractions.reduce((sum, one) => sum + (one.numerator * common) / one.denominator, 0n);
    assert.equal(numerator * common, expected * denominator);
  });
});

const units = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const digits = fc.integer({ min: 0, max: 4 });

describe("exact decimals", () => {
  test("what is written is read as the same, whatever its digits", () =>
    forAll(100, units, digits, (value, places) => {
      fc.pre(value / 10n ** BigInt(places) < 10n ** 12n && value / 10n ** BigInt(places) > -(10n ** 12n));
      assert.equal(parseDecimal(formatDecimal(value, places), places), value);
    }));

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
    forAll(100, units, fc.bigInt({ min: 1n, max: 10n ** 15n }), (dividend, divisor) => {
      const off = dividend - divideRounded(dividend, divisor) * divisor;
      assert.ok(2n * off <= divisor && 2n * off >= -divisor, String(off));
      assert.equal(divideRounded(-dividend, divisor), -divideRounded(dividend, divisor));
    });
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

const WRONG = "40XX 40ZZZ 40QQ 22G 22G11 22X1 02G1 21G1 22GZ HC40 40";

test("size and type codes are read as they are", () => {
  for (const code of [
    ..."22G1 42G1 45G1 L5G1 LEG1 L5R1 2EG1 4CG1 12G1 25G1 45R1 45R9 22R1 22RT 42RE 22HR 22H5 42H2".split(" "),
    ..."22U1 42UT 45U6 22P1 42P3 42PL 48P0 49PL 22PF 42PC 42PS 22T0 22T6 22TN 22K2 22K8 22KL 22N0".split(" "),
    ..."22NH 22V0 22VH 22B0 22BU 22BK 20BK 22S1 42SN 40AS 42A0 22GB 42GY M5G1 P5G1 N5G1 K2P1 40GP".split(" "),
  ])
    assert.equal(readEquipment(code), code);
});

test("the trade's groups are read as it writes them", () => {
  const written = ["40hc", "40' HQ", "40HQ", "20DC", "20DV", "20ST", "20SD", "40RF", "40RH"];
  assert.equal(written.map(readEquipment).join(" "), "40HC 40HC 40HC 20GP 20GP 20GP 20GP 40RF 40RH");
  for (const group of "40NOR 20OT 40FR 20TK 45PW 53HC".split(" ")) assert.equal(readEquipment(group), group);
});

test("what is no equipment is refused, and the answer shows what is", () => {
  const isRefused = (error: unknown) =>
    error instanceof ValidationError && /^must be an ISO 6346 .*22G1.*40HC.*, not "/.test(error.message);
  for (const wrong of WRONG.split(" ")) assert.throws(() => readEquipment(wrong), isRefused, wrong);
});
