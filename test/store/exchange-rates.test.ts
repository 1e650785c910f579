/** Exchange rates by source, day and currency. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  listExchangeRatesOn,
  listExchangeRatesUntil,
  listExchangeSources,
  noteExchangeSource,
  removeExchangeRates,
  storeExchangeRates,
} from "../../src/products/rates/store/exchange/exchange-rates.ts";
import { clearRates, day } from "./rate-rows.ts";
import { dateOf, storeRows, timeOf } from "./store-rows.ts";

/** Two sources of one day each, and a third day of the first. */
const RATES = [
  { source: "a", dated: day(3), currency: "USD", rate: "1.1" },
  { source: "a", dated: day(3), currency: "CNY", rate: "8" },
  { source: "a", dated: day(5), currency: "USD", rate: "1.25" },
  { source: "b", dated: day(3), currency: "USD", rate: "0.000000000001" },
] as const;

describe("exchange rates", () => {
  const rows = storeRows(async (of) => {
    await clearRates(of);
    await note("b", "GBP", 20);
    await note("a", "EUR", 10);
    assert.deepEqual(await store(...RATES), { same: 0, other: 0 });
  });

  const note = (source: string, base: string, atMs: number) =>
    noteExchangeSource(rows.database, rows.rates, { source, base }, timeOf(atMs));
  const store = (...rates: Parameters<typeof storeExchangeRates>[2]) =>
    storeExchangeRates(rows.database, rows.rates, rates);
  const until = (source: string, number: number, daysBefore: number, ...currencies: string[]) => {
    const days = { day: day(number), daysBefore };
    return listExchangeRatesUntil(rows.database, rows.rates, source, days, currencies);
  };
  const on = (source: string | null, number: number, daysBefore: number) =>
    listExchangeRatesOn(rows.database, rows.rates, source, { day: day(number), daysBefore });
  const sources = async (limit = 9) =>
    (await listExchangeSources(rows.database, rows.rates, limit)).map((one) => [
      one.source,
      one.base,
      one.first,
      one.last,
      one.currencies,
      one.loadedAt,
    ]);

  test("have sources by name, each with its days and when it was loaded last", async () => {
    const a = ["a", "EUR", day(3), day(5), 1, dateOf(10)];
    const b = ["b", "GBP", day(3), day(3), 1, dateOf(20)];
    assert.deepEqual(await sources(), [a, b]);
    assert.deepEqual(await sources(1), [a]);
    await note("b", "USD", 30);
    assert.deepEqual(await sources(), [a, [...b.slice(0, 5), dateOf(30)]]);
  });

  test("are written once, and replaced by another number alone", async () => {
    const changed = { ...RATES[2], rate: "1.26" };
    const added = { ...RATES[1], currency: "JPY", rate: "170.50" };
    assert.deepEqual(await store(RATES[0], changed, added), { same: 1, other: 1 });
    assert.deepEqual(await store({ ...changed, rate: "1.260" }), { same: 1, other: 0 });
    assert.deepEqual(
      (await until("a", 5, 2, "USD", "JPY", "CNY")).map(({ dated, currency, rate }) => [
        dated,
        currency,
        rate,
      ]),
      [
        [day(5), "USD", "1.26"],
        [day(3), "CNY", "8"],
        [day(3), "JPY", "170.5"],
        [day(3), "USD", "1.1"],
      ],
    );
  });

  test("of a source are read for some days and currencies, the latest first", async () => {
    const usd = (number: number, rate: string) => ({
      base: "EUR",
      dated: day(number),
      currency: "USD",
      rate,
    });
    assert.deepEqual(await until("a", 5, 2, "USD"), [usd(5, "1.25"), usd(3, "1.1")]);
    assert.deepEqual(await until("a", 5, 1, "USD"), [usd(5, "1.25")]);
    assert.deepEqual(await until("a", 4, 1, "USD"), [usd(3, "1.1")]);
    assert.deepEqual(await until("a", 2, 9, "USD"), []);
    assert.deepEqual(await until("c", 5, 9, "USD"), []);
  });

  test("of a day are the latest of each source and currency", async () => {
    const a = { source: "a", base: "EUR" };
    const usd = { ...a, currency: "USD", dated: day(5), rate: "1.25" };
    const cny = { ...a, currency: "CNY", dated: day(3), rate: "8" };
    const other = { source: "b", base: "GBP", currency: "USD", dated: day(3), rate: "0.000000000001" };
    assert.deepEqual(await on(null, 5, 2), [cny, usd, other]);
    assert.deepEqual(await on("b", 5, 2), [other]);
    assert.deepEqual(await on(null, 5, 1), [usd]);
    assert.deepEqual(await on(null, 4, 1), [cny, { ...usd, dated: day(3), rate: "1.1" }, other]);
  });

  test("are removed of a day or of a source, which goes with the last of them", async () => {
    const remove = (source: string, number: number | null) =>
      removeExchangeRates(rows.database, rows.rates, source, number === null ? null : day(number));
    assert.deepEqual([await remove("a", 4), await remove("a", 3), await remove("c", null)], [0, 2, 0]);
    assert.deepEqual(
      (await sources()).map(([source, , first]) => [source, first]),
      [
        ["a", day(5)],
        ["b", day(3)],
      ],
    );
    assert.equal(await remove("a", null), 1);
    assert.deepEqual(
      (await sources()).map(([source]) => source),
      ["b"],
    );
    assert.equal((await on("b", 3, 0)).length, 1);
  });
});
