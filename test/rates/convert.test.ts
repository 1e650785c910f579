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

const table = (...quotes: readonly Quote[]) => ({ source: "ECB", base: "EUR", quotes });
const quote = (date: string, currency: string, rate: string) => quoteOf(date, currency, rate);

describe("conversion", () => {
  const CURRENCIES = ["EUR", "USD", "JPY", "KWD", "CNY"] as const;
  const anyRate = fc.bigInt({ min: 1n, max: 10n ** 6n * EXCHANGE_UNIT });

  test("there and back gives what there was, exactly, and through a third currency the same as at once", () => {
    const rates = fc.tuple(anyRate, anyRate, anyRate, anyRate);
    const places = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(rates, places, (given, chosen) => {
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
      }),
    );
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
    fc.assert(
      fc.property(anyQuotes, (quotes) => {
        const inOrder = quotes
          .map((one) => ({ ...one }))
          .toSorted((one, other) => (one.date > other.date ? -1 : 1));
        const exchange = exchangeInto(table(...inOrder), ["JPY", "CNY", "EUR"], "USD");
        const again = storedExchange(exchangeText(exchange), ["JPY", "CNY", "EUR"], "USD");
        assert.deepEqual(again, exchange);
      }),
    );
  });
});

test("a sum of fractions is exact", () => {
  const fraction = fc.record({
    numerator: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    denominator: fc.bigInt({ min: 1n, max: 50n }),
  });
  fc.assert(
    fc.property(fc.array(fraction, { maxLength: 20 }), (fractions) => {
      const { numerator, denominator } = sumOf(fractions);
      const common = fractions.reduce((product, one) => product * one.denominator, 1n);
      const expected = fractions.reduce((sum, one) => sum + (one.numerator * common) / one.denominator, 0n);
      assert.equal(numerator * common, expected * denominator);
    }),
  );
});
