/** Surcharges for a container, for a bill of lading, by percent, and in other currencies (docs/rates.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import type { LaneRate } from "../../src/products/rates/lanes/lane.ts";
import { FILE_BOUNDS, readRates } from "../../src/products/rates/lanes/read-rates.ts";
import {
  notInTotal,
  percentOf,
  surchargesOf,
  surchargesText,
  surchargeViews,
  type Surcharge,
} from "../../src/products/rates/lanes/surcharges.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { openScene } from "./scene.ts";
import { forAll } from "../support/runs.ts";

const LANE = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", carrier: "HRNL", currency: "USD" };

function read(surcharges: unknown, more: object = {}): LaneRate | string {
  const rate = { ...LANE, valid_from: "2026-11-01", base: "2000.00", surcharges, ...more };
  const found = runToEnd(readRates(Buffer.from(JSON.stringify([rate])), "json", FILE_BOUNDS));
  assert.ok(found.kind === "rates");
  return found.rates[0] ?? found.problems[0]!.message;
}

function good(...given: Parameters<typeof read>): LaneRate {
  const rate = read(...given);
  if (typeof rate === "string") throw new Error(rate);
  return rate;
}

/** As people write it in a cell, and what it says in JSON. */
const TEXT =
  "BAF(Bunker | adjustment)=350.50|DOC=45:bill|caf=7.5% THC=1200:CNY;ISPS=15.00:eur:BILL:Included|VAT=99:included";
const JSON_TEXT = [
  { code: "BAF", name: "Bunker | adjustment", amount: 350.5 },
  { code: "DOC", amount: "45", per: "B/L" },
  { code: "CAF", percent: 7.5 },
  { code: "THC", amount: 1200, currency: "cny" },
  { code: "ISPS", amount: "15.00", currency: "EUR", per: "bill", included: true },
  { code: "VAT", amount: "99", included: true, currency: "USD", per: "container", percent: null, name: null },
];

describe("surcharges", () => {
  const shownOf = ({ surcharges, lane }: LaneRate) =>
    surchargeViews(surcharges, lane.currency).map(
      ({ code, amount, per, percent, currency, included, name }) =>
        [code, amount, currency, per, percent, included ? "in the base" : "on top", name].join(" "),
    );

  test("are read from a cell as from JSON: by container, by bill, by percent of the base, and in other currencies", () => {
    const rate = good(TEXT);
    assert.deepEqual(shownOf(rate), [
      "BAF 350.50 USD container  on top Bunker | adjustment",
      "CAF 150.00 USD percent 7.50 on top ",
      "DOC 45.00 USD bill  on top ",
      "ISPS 15.00 EUR bill  in the base ",
      "THC 1200.00 CNY container  on top ",
      "VAT 99.00 USD container  in the base ",
    ]);
    assert.deepEqual(good(JSON_TEXT), rate);
    assert.equal(rate.total, 250_050n, "base, BAF and CAF");
    assert.deepEqual(notInTotal(rate.surcharges, "USD"), [
      { per: "bill", currency: "USD", amount: "45.00" },
      { per: "container", currency: "CNY", amount: "1200.00" },
    ]);
  });

  test("besides the total are summed by bill and container, and by currency", () => {
    const { surcharges } = good(
      "DOC=45:bill|SEAL=5.5:bill|OTHC=1200:CNY|ODOC=450:CNY|BL=500:CNY:bill|JPF=7:JPY:included",
    );
    assert.deepEqual(notInTotal(surcharges, "USD"), [
      { per: "bill", currency: "CNY", amount: "500.00" },
      { per: "bill", currency: "USD", amount: "50.50" },
      { per: "container", currency: "CNY", amount: "1650.00" },
    ]);
  });

  test("with decimal commas are read between semicolons", () => {
    const heading = "origin;destination;equipment;currency;valid_from;base;surcharges";
    const line = 'CNSHA;NLRTM;40HC;USD;2026-11-01;2000,00;"CAF=7,25%|DOC=45,50:bill"';
    const found = runToEnd(readRates(Buffer.from(`${heading}\n${line}`), "csv", FILE_BOUNDS));
    assert.ok(found.kind === "rates" && found.rates[0] !== undefined, JSON.stringify(found.kind));
    assert.deepEqual([found.rates[0].total, found.rates[0].surcharges[1]!.amount], [214_500n, 4_550n]);
  });

  for (const [what, surcharges, message, more] of [
    ["a percentage that is none", "CAF=x%", /^surcharges of CAF must be a percentage .* not "x"/],
    ["a name apart from its code", "BAF (Bunker)=5", /^surcharges must be codes/],
    ["a percentage too fine", "PSS=-12.345%", /^surcharges of PSS must be a percentage/],
    ["a percentage too high", "PSS=1000.01%", /^surcharges of PSS must be .*from -100 to 1000/],
    ["a rebate above the base", "PSS=-100.01%", /^surcharges of PSS must be a percentage/],
    ["a percentage in a currency", "CAF=5%:EUR", /^surcharges of CAF is a percentage of the base: leave/],
    ["a percentage by bill", "CAF=5%:bill", /^surcharges of CAF has a percent, but is per bill: leave one/],
    ["a currency that is none", "THC=5:XYZ", /^surcharges of THC has "XYZ"; there are included, bill and/],
    ["two bases", "DOC=5:bill:container", /^surcharges of DOC is by bill and by container: leave one out/],
    ["two currencies", "THC=5:EUR:CNY", /^surcharges of THC has "CNY"/],
    [
      "an amount that its currency has not",
      "THC=5.5:JPY",
      /^surcharges of THC must be an amount .*JPY has no/,
    ],
    ["an open name", "THC(Terminal=5|BAF=1", /^surcharges must be codes and amounts/],
    ["a name too long", `THC(${"x".repeat(61)})=5`, /^surcharges of THC has a name of more than/],
    ["a code twice", "THC=5|THC=5:EUR", /^surcharges names THC twice; add them up, or tell them apart/],
    [
      "another basis",
      [{ code: "DOC", amount: "1", per: "day" }],
      /^surcharges of DOC has a per that is none/,
    ],
    ["no included", [{ code: "DOC", amount: "1", included: "no" }], /^surcharges of DOC has an included/],
    ["no percentage", [{ code: "CAF", per: "percent" }], /^surcharges of CAF is missing: it must be a perc/],
    [
      "not the percentage's amount",
      [{ code: "CAF", percent: "5", amount: "101" }],
      /must be 100\.00, or left out/,
    ],
    ["a field that is none", [{ code: "CAF", rate: "5" }], /^surcharges has an entry with "rate"; there are/],
    ["a total with the bill's", "DOC=45:bill", /^total must be 2000\.00/, { total: "2045.00" }],
    ["a rebate that leaves nothing", "PSS=-100%|X1=-1", /^base and total must not be below zero/],
  ] as const) {
    test(`with ${what} are a problem with what to change`, () => {
      const found = read(surcharges, more);
      assert.ok(typeof found === "string", "it was read");
      assert.match(found, message);
    });
  }

  for (const word of ["constructor", "__proto__"]) {
    test(`and layers have no ${word}, which every object of JavaScript has`, () => {
      const [charged, layered] = [read([{ code: "DOC", amount: "1", per: word }]), read("", { layer: word })];
      assert.ok(typeof charged === "string" && typeof layered === "string", "it was read");
      assert.match(charged, /^surcharges of DOC has a per that is none of container/);
      assert.match(layered, /^layer must be standard or promotion/);
    });
  }

  test("by percent round half away from zero, once", () =>
    assert.deepEqual(
      [
        [1n, 5_000n],
        [1n, 4_999n],
        [-1n, 5_000n],
        [200_000n, 750n],
      ].map(([base, percent]) => percentOf(base!, percent!)),
      [1n, 0n, -1n, 15_000n],
    ));

  test("are stored and read back the same, and plain ones as they always were", () => {
    const plain: Surcharge = {
      ...{ code: "BAF", name: null, per: "container", percent: null, amount: 35_050n, currency: null },
      included: false,
    };
    assert.equal(surchargesText([plain]), '[["BAF","35050",false]]');
    const some = fc.record(
      {
        code: fc.constantFrom("BAF", "THC"),
        name: fc.constantFrom(null, "Bunker"),
        per: fc.constantFrom("container" as const, "bill" as const),
        percent: fc.constant(null),
        amount: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        currency: fc.constantFrom(null, "EUR"),
        included: fc.boolean(),
      },
      { noNullPrototype: true },
    );
    forAll(100, fc.array(some), (surcharges) => {
      assert.deepEqual(surchargesOf(surchargesText(surcharges)), surcharges);
    });
    const percent: Surcharge = { ...plain, per: "percent", percent: 750n };
    assert.deepEqual(surchargesOf(surchargesText([percent])), [percent]);
  });

  test("of a loaded rate are in its lane and event, and load again as they are listed", async (t) => {
    const scene = await openScene();
    t.after(() => scene.drop());
    const surcharges = "BAF(Bunker)=350.50|CAF=7.5%|DOC=45:bill|THC=1200:CNY";
    const rate = { from: "2026-11-01", total: "2000.00", carrier: "HRNL" };
    await scene.load({ ...rate, surcharges: "BAF=350.50" });
    await scene.load({ ...rate, surcharges });
    const [lane] = await scene.lanesOn("2026-11-02");
    const apart = [
      { per: "bill", currency: "USD", amount: "45.00" },
      { per: "container", currency: "CNY", amount: "1200.00" },
    ];
    const shown = lane!.rate!;
    assert.deepEqual([shown.base, shown.total, shown.not_in_total], ["2000.00", "2500.50", apart]);
    const [event] = await scene.raised();
    const { old_total, new_total, not_in_total, surcharges: told } = event!.data;
    assert.deepEqual([old_total, new_total, not_in_total], ["2350.50", "2500.50", apart]);
    assert.deepEqual(told, shown.surcharges);
    // Its percentage comes to something else with another base.
    assert.equal(good(shown.surcharges).total, 250_050n);
    const changed = read(shown.surcharges, { base: "1000" });
    assert.ok(typeof changed === "string", "it was read");
    assert.match(changed, /^surcharges of CAF must be 75\.00, or left out/);
    assert.deepEqual(await scene.load({ ...rate, surcharges }), {
      ...{ loaded: 0, replaced: 0, unchanged: 1, changes: 0 },
    });
    // A bill's charge alone is a change as well, of the same total.
    await scene.load({ ...rate, surcharges: surcharges.replace("45", "50") });
    assert.deepEqual(
      (await scene.raised()).map(({ data }) => [data.change, data.not_in_total[0].amount]),
      [["0.00", "50.00"]],
    );
  });
});
