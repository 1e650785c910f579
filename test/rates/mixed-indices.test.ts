/** Indices over lanes in several currencies, by exchange rates that the operator loads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import {
  deleteExchangeRates,
  loadExchangeRates,
} from "../../src/products/rates/currencies/load-exchange-rates.ts";
import { readExchangeRates } from "../../src/products/rates/currencies/read-exchange-rates.ts";
import { computeIndex } from "../../src/products/rates/indices/compute.ts";
import { defineIndex } from "../../src/products/rates/indices/define.ts";
import { readIndexDefinition } from "../../src/products/rates/indices/definition.ts";
import { basketView, indexValueViews, listIndicesWithLatest } from "../../src/products/rates/indices/view.ts";
import { rateIndexValueList } from "../../src/products/rates/store/rate-indices.sql.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { DAY_MS, describeScene } from "./scene.ts";

/** The clock of the tests begins at noon of 2026-11-02, a Monday. */
const TODAY = "2026-11-02";

const IN_EUR = { destination: "DEHAM", currency: "EUR" };
const IN_CNY = { destination: "SGSIN", currency: "CNY" };
const lane = (weight: number, more: object = {}) => ({
  origin: "CNSHA",
  destination: "NLRTM",
  equipment: "40HC",
  weight,
  ...more,
});

const MIXED = {
  id: "mixed",
  name: "In three currencies",
  currency: "USD",
  base_date: TODAY,
  day: "none",
  lanes: [lane(3), lane(1, IN_EUR), lane(2, IN_CNY)],
};

describeScene("an index over several currencies", (scene) => {
  const define = (change: object = {}) => {
    const read = readIndexDefinition(Buffer.from(JSON.stringify({ ...MIXED, ...change })));
    assert.ok(read.kind === "index", inspect(read));
    return defineIndex(scene, read.index);
  };
  const refusalOf = async (change: object = {}) => {
    const defined = await define(change);
    assert.ok(defined.kind === "refused");
    return defined.message;
  };
  const loadExchange = async (text: string, source = "ECB") => {
    const defaults = { source, base: null, today: TODAY };
    const read = runToEnd(readExchangeRates(Buffer.from(text), "csv", defaults));
    assert.ok(read.kind === "exchange-rates", inspect(read));
    return loadExchangeRates(scene, read, true);
  };
  const loadBasket = () =>
    scene.load(
      { from: "2026-11-01", total: "2000" },
      { from: "2026-11-01", total: "1000", ...IN_EUR },
      { from: "2026-11-01", total: "7000", ...IN_CNY },
    );
  const compute = async (day: string) => {
    const computed = await computeIndex(scene, "mixed", day);
    assert.ok(computed.kind === "computed" || computed.kind === "exists", JSON.stringify(computed));
    return computed.value;
  };
  const rate = (date: string, currency: string, number: string) => ({
    source: "ECB",
    base: "EUR",
    currency,
    date,
    rate: number,
  });

  test("is refused until exchange rates are loaded, and then says what lacks", async () => {
    await loadBasket();
    assert.equal(
      await refusalOf(),
      "there are lanes in CNY, EUR: load exchange rates first (boathook rates currencies load), or take lanes in USD alone",
    );
    await loadExchange("Date,USD\n2026-11-02,1.1\n");
    assert.match(await refusalOf({ exchange_source: "Fed" }), /^exchange_source must be one of ECB/);
    assert.match(
      await refusalOf(),
      /^ECB has no exchange rates of 2026-11-02, or of the 7 days before it, between USD and CNY; load them first/,
    );
    await loadExchange("Date,CNY\n2026-11-02,8\n");
    await loadExchange("Date,USD\n2026-11-02,1.1\n", "own");
    assert.match(await refusalOf(), /^exchange_source must say whose .* there are ECB, own/);
    assert.equal((await define({ exchange_source: "ECB" })).kind, "defined");
  });

  test("converts each price on its day, through the source's base, and rounds once", async () => {
    await loadBasket();
    await loadExchange("Date,USD,CNY\n2026-11-02,1.1,8.25\n2026-11-04,1.2,8\n");
    const defined = await define({ day: "friday" });
    assert.ok(defined.kind === "defined");
    assert.deepEqual(
      basketView(defined.index).map(({ currency, base_price: price }) => [currency, price]),
      [
        ["USD", "2000.00"],
        ["EUR", "1000.00"],
        ["CNY", "7000.00"],
      ],
    );
    await scene.load({ from: "2026-11-03", total: "1100", ...IN_EUR });
    scene.clock.jump(4 * DAY_MS);
    await scene.tick();
    const events = (await scene.raised()).filter(({ type }) => type === "index_refreshed");
    // 3 × 2000 + 1100 × 1.2 + 2 × 7000 × 1.2 ÷ 8 = 9420; 6000 + 1100 + 2 × 7000 × 1.1 ÷ 8.25 = 8966.66…
    assert.deepEqual(
      events.map(({ data }) => [
        data.currency,
        data.dated,
        data.value,
        data.exchange_rates,
        data.currencies_missing,
      ]),
      [
        [
          "USD",
          "2026-11-06",
          "1050.56",
          [rate("2026-11-04", "CNY", "8"), rate("2026-11-04", "USD", "1.2")],
          [],
        ],
      ],
    );
    const [listed] = await listIndicesWithLatest(scene.database, scene.productCells.of("rates"));
    assert.deepEqual(
      [listed!.exchange_source, listed!.base_exchange_rates],
      ["ECB", [rate("2026-11-02", "CNY", "8.25"), rate("2026-11-02", "USD", "1.1")]],
    );
    assert.equal(listed!.latest.value, "1050.56");
  });

  test("is what it would be if the operator converted the prices before the load", async () => {
    await loadBasket();
    await loadExchange("Date,USD,CNY\n2026-11-02,1.25,8\n2026-11-05,1.6,8\n");
    assert.equal((await define()).kind, "defined");
    await scene.load(
      { from: "2026-11-01", to: "2026-11-04", total: "1250", origin: "VNSGN" },
      { from: "2026-11-05", total: "1600", origin: "VNSGN" },
      { from: "2026-11-01", to: "2026-11-04", total: "1093.75", origin: "VNHPH" },
      { from: "2026-11-05", total: "1400", origin: "VNHPH" },
    );
    const plain = [lane(3), lane(1, { origin: "VNSGN" }), lane(2, { origin: "VNHPH" })];
    assert.equal((await define({ id: "plain", lanes: plain })).kind, "defined");
    scene.clock.jump(3 * DAY_MS);
    const other = await computeIndex(scene, "plain", "2026-11-05");
    assert.ok(other.kind === "computed");
    assert.equal((await compute("2026-11-05")).value, other.value.value);
  });

  test("takes the last rates before a weekend for seven days, and then leaves the lanes out, and says so", async () => {
    await loadBasket();
    await loadExchange("Date,USD,CNY\n2026-11-02,1.1,8\n2026-11-03,N/A,8\n");
    assert.equal((await define()).kind, "defined");
    scene.clock.jump(20 * DAY_MS);
    const [last, over] = [await compute("2026-11-09"), await compute("2026-11-10")];
    const used = [rate("2026-11-02", "CNY", "8"), rate("2026-11-02", "USD", "1.1")];
    assert.deepEqual([last.value, last.exchange_rates, last.lanes_missing], ["1000.00", used, 0]);
    assert.deepEqual(
      [over.value, over.exchange_rates, over.currencies_missing, over.lanes_missing, over.lanes_carried],
      ["1000.00", [], ["CNY", "EUR"], 2, 0],
    );
    // 6000 of 6000 + 1100 + 1925.
    assert.equal(over.coverage_percent, "66.48");
  });

  test("has no value where too little can be converted, and the message says why", async () => {
    await loadBasket();
    await loadExchange("Date,USD,CNY\n2026-11-02,1.1,8\n");
    assert.equal((await define({ lanes: [lane(1), lane(5, IN_EUR)] })).kind, "defined");
    scene.clock.jump(20 * DAY_MS);
    const refused = await computeIndex(scene, "mixed", "2026-11-20");
    assert.ok(refused.kind === "refused");
    assert.match(refused.message, /less than half of the basket .*; ECB has no exchange rates of 2026-11-20/);
  });

  test("counts a lane once that is carried on and cannot be converted: as missing", async () => {
    await loadBasket();
    await scene.load({ from: "2026-11-01", to: "2026-11-03", total: "1000", ...IN_EUR });
    await loadExchange("Date,USD,CNY\n2026-11-02,1.1,8\n2026-11-15,1.1,8\n");
    assert.equal((await define({ lanes: [lane(3), lane(1, IN_EUR)] })).kind, "defined");
    scene.clock.jump(20 * DAY_MS);
    const [missing, carried] = [await compute("2026-11-12"), await compute("2026-11-16")];
    assert.deepEqual([missing.lanes_carried, missing.lanes_missing], [0, 1]);
    assert.deepEqual([carried.lanes_carried, carried.lanes_missing], [1, 0]);
  });

  test("keeps its values and base prices, whatever is loaded or removed later", async () => {
    await loadBasket();
    await loadExchange("Date,USD,CNY\n2026-11-02,1.1,8\n");
    assert.equal((await define()).kind, "defined");
    scene.clock.jump(3 * DAY_MS);
    const first = await compute("2026-11-04");
    const corrected = await loadExchange("Date,USD,CNY\n2026-11-02,2.2,8\n2026-11-04,2.2,8\n");
    assert.deepEqual(corrected, {
      kind: "loaded",
      answer: { lines: 2, loaded: 3, replaced: 1, unchanged: 1, refused: 0, problems: [], left_out: [] },
    });
    assert.deepEqual(await compute("2026-11-04"), first);
    // 6000 + 2200 + 2 × 7000 × 2.2 ÷ 8 = 12050, over 6000 + 1100 + 1925 = 9025.
    assert.equal((await compute("2026-11-05")).value, "1335.18");
    assert.equal(await deleteExchangeRates(scene, "ECB", null), 4);
    const cell = scene.productCells.of("rates");
    const values = indexValueViews(
      await rateIndexValueList(scene.database, cell, { indexId: "mixed", upTo: null, limit: 9 }),
      9,
    );
    assert.deepEqual(
      values.map(({ value }) => value),
      ["1335.18", "1000.00", "1000.00"],
    );
    assert.deepEqual(values[1], first);
    assert.equal(await deleteExchangeRates(scene, "ECB", null), 0);
  });

  test("a source keeps its base, and there are twenty at most", async () => {
    const LONG = "date,base,currency,rate,source\n";
    await loadExchange("Date,USD\n2026-11-02,1.1\n");
    const other = await loadExchange(`${LONG}2026-11-02,USD,EUR,0.9,ECB\n`);
    assert.ok(
      other.kind === "refused" && other.message.includes("of ECB are per EUR, and these are per USD"),
    );
    const some = (count: number) =>
      Array.from({ length: count }, (_, at) => `2026-11-02,EUR,USD,1.1,bank ${at}`).join("\n");
    const tooMany = await loadExchange(LONG + some(20));
    assert.ok(tooMany.kind === "refused" && /more than 20 sources/.test(tooMany.message));
    assert.equal((await loadExchange(LONG + some(19))).kind, "loaded");
    assert.equal((await loadExchange(LONG + some(19))).answer.unchanged, 19);
  });
});
