/** Files of rates, line by line. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { readRates, REQUEST_BOUNDS, type ReadRates } from "../../src/products/rates/lanes/read-rates.ts";
import { NO_TERMS } from "../../src/products/rates/lanes/terms.ts";
import type { TableFormat } from "../../src/freight/tables/rows.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";

const HEADING = "origin,destination,equipment,carrier,currency,valid_from,valid_to,base,surcharges,total";
const GOOD = "CNSHA,NLRTM,40HC,HRNL,USD,2026-11-01,2026-11-30,2000.00,BAF=350.50|THC=210:included,2350.50";

const PLAIN = { name: null, per: "container", percent: null, currency: null };
const NO_OFFER = { kind: null, contract: null, commodity: "FAK" };

type Rates = Extract<ReadRates, { kind: "rates" }>;

function read(text: string, format: TableFormat = "csv"): Rates {
  const found = runToEnd(readRates(Buffer.from(text), format, REQUEST_BOUNDS));
  assert.ok(found.kind === "rates", "it was not read");
  return found;
}

function refused(text: string | Buffer, format: TableFormat = "csv", bounds = REQUEST_BOUNDS): string {
  const found = runToEnd(readRates(Buffer.from(text), format, bounds));
  assert.ok(found.kind === "unreadable", "it was read");
  return found.message;
}

describe("a file of rates", () => {
  const expected = {
    lane: {
      ...{ origin: "CNSHA", destination: "NLRTM", equipment: "40HC", carrier: "HRNL", currency: "USD" },
      ...NO_OFFER,
    },
    layer: "standard",
    validFrom: "2026-11-01",
    validTo: "2026-11-30",
    base: 200_000n,
    surcharges: [
      { ...PLAIN, code: "BAF", amount: 35_050n, included: false },
      { ...PLAIN, code: "THC", amount: 21_000n, included: true },
    ],
    total: 235_050n,
    terms: NO_TERMS,
  };

  test("a line is a rate, and what the base includes is not added to the total", () =>
    assert.deepEqual(read(`${HEADING}\n${GOOD}\n`), {
      kind: "rates",
      lines: 1,
      rates: [expected],
      problems: [],
    }));

  test("a byte order mark, CRLF, quotes, empty lines, semicolons and decimal commas make no difference", () => {
    const semicolons = [
      HEADING.replaceAll(",", ";"),
      "",
      'CNSHA;NLRTM;40HC;HRNL;"USD";2026-11-01;2026-11-30;2000,00;"BAF=350,50;THC=210:included";2350,50',
    ];
    assert.deepEqual(read(`\uFEFF${semicolons.join("\r\n")}\r\n`).rates, [expected]);
    assert.deepEqual(read(`${HEADING}\n"${GOOD.split(",").join('","')}"`).rates, [expected]);
  });

  test("dates are read with points as well, the day first", () => {
    const pointed = GOOD.replace("2026-11-01", "1.11.2026").replace("2026-11-30", "30.11.2026");
    assert.deepEqual(read(`${HEADING}\n${pointed}`).rates, [expected]);
    assert.equal(read(`${HEADING}\n${GOOD.replace("2026-11-01", "31.11.2026")}`).problems.length, 1);
  });

  test("with semicolons, an amount is not read if its separator may be of thousands", () => {
    const heading = "origin;destination;equipment;currency;valid_from;base";
    const amounts = (currency: string, ...bases: readonly string[]) => {
      const lines = bases.map((base, at) => `CNSHA;NLRTM;40HC;${currency};2026-11-0${at + 1};${base}`);
      const { rates, problems } = read([heading, ...lines].join("\n"));
      return [rates.map(({ base }) => base), problems.map(({ line }) => line)];
    };
    const unclear = [
      [123_450n, 123_450n, 50n],
      [5, 6, 7, 8],
    ];
    const usd = ["1234,50", "1234.50", "0,500", "1.000", "2,000", "1.234,50", "1.234.567"];
    assert.deepEqual(amounts("USD", ...usd), unclear);
    assert.deepEqual(amounts("JPY", "1234", "1.000", "2,000"), [[1_234n], [3, 4]]);
    assert.deepEqual(amounts("KWD", "350,500", "1234.500", "350.500"), [[350_500n, 1_234_500n], [4]]);
  });

  test("rows of nothing but separators, as spreadsheets leave them, are no lines", () => {
    const nothing = ",".repeat(9);
    const { lines, problems } = read(
      `${nothing}\n${HEADING}\n${nothing}\n${GOOD}\n ${nothing}\n${nothing}x\n`,
    );
    assert.deepEqual([lines, problems.map(({ line }) => line)], [2, [6]]);
  });

  test("a quoted cell may continue on the next lines, and problems count the file's lines", () => {
    const broken = GOOD.replace("BAF=350.50|THC", '"BAF=350.50\r\n\r\nTHC').replace(
      "included,",
      'included",',
    );
    const text = [HEADING, "", broken, GOOD.replace("40HC", "BIG"), ""].join("\r\n");
    const { rates, problems } = read(text);
    assert.deepEqual(rates, [expected]);
    assert.deepEqual(
      problems.map(({ line }) => line),
      [6],
    );
  });

  test("an open quote loses no good line, even if a later quote would close it", () => {
    const open = GOOD.replace("HRNL", '"HRNL');
    const close = GOOD.replace("HRNL", 'HRNL"');
    const good = (equipment: string) => GOOD.replace("40HC", equipment);
    const { rates, problems } = read(
      [HEADING, open, good("20GP"), good("40GP"), close, good("45HC")].join("\n"),
    );
    assert.deepEqual(
      rates.map(({ lane }) => lane.equipment),
      ["20GP", "40GP", "45HC"],
    );
    assert.deepEqual(
      problems.map(({ line, message }) => [line, message.slice(0, 21)]),
      [
        [2, "a quote is not closed"],
        [5, "a quote is not closed"],
      ],
    );
  });

  test("a long line of quotes or spaces takes little time", () => {
    for (const long of [" ".repeat(9_000), '"'.repeat(9_000), '""'.repeat(4_500), `"${" ".repeat(9_000)}`]) {
      const { problems } = read(`${HEADING}\n${`${long}x${long}\n`.repeat(200)}`);
      assert.equal(problems.length, 200);
    }
  });

  test("columns come in any order, and optional ones may be missing", () => {
    const { rates } = read(
      "base,valid_from,currency,equipment,destination,origin\n1200,2026-11-01,jpy,40hq,nl rtm,cnsha",
    );
    const [rate] = rates;
    assert.deepEqual(rate, {
      lane: { ...expected.lane, carrier: null, currency: "JPY" },
      layer: "standard",
      validFrom: "2026-11-01",
      validTo: null,
      base: 1_200n,
      surcharges: [],
      total: 1_200n,
      terms: NO_TERMS,
    });
  });

  test("JSON says the same, and its numbers are read digit by digit", () => {
    const json = `{"rates": [{"origin": "CNSHA", "destination": "NLRTM", "equipment": "40HC", "carrier": "HRNL",
      "currency": "USD", "valid_from": "2026-11-01", "valid_to": "2026-11-30", "base": 2000, "total": 2350.50,
      "surcharges": [{"code": "THC", "amount": "210", "included": true}, {"code": "BAF", "amount": 350.5}]}]}`;
    assert.deepEqual(read(json, "json").rates, [expected]);
    const list = JSON.parse(json).rates as object[];
    assert.deepEqual(read(JSON.stringify(list), "json").rates, [expected]);
    // Which is 2350.5 to JavaScript.
    const finer = read(
      JSON.stringify(list).replace('"total":2350.5', '"total":2350.5000000000000001'),
      "json",
    );
    assert.match(finer.problems[0]!.message, /^total must be an amount/);
  });

  for (const [what, change, message] of [
    ["a place that is none", ["CNSHA", "SHANGHAI"], /^origin must be a UN\/LOCODE/],
    ["the same place twice", ["NLRTM", "CNSHA"], /^origin and destination are the same/],
    ["no equipment", ["40HC", ""], /^equipment is missing: it must be an ISO 6346/],
    ["equipment that is none", ["40HC", "BIG"], /^equipment must be an ISO 6346/],
    ["a carrier that is none", ["HRNL", "HERON"], /^carrier must be a SCAC/],
    ["a currency that is none", ["USD", "USQ"], /^currency must be a currency of ISO 4217/],
    ["a day that never is", ["2026-11-01", "2026-02-30"], /^valid_from must be a day/],
    ["an end before its beginning", ["2026-11-30", "2026-10-30"], /^valid_to is before valid_from/],
    [
      "a decimal comma",
      ["2000.00", '"2000,00"'],
      /^base must be an amount such as 1234\.50: USD has at most/,
    ],
    ["thousands set apart", ["2000.00", '"2,000.00"'], /there is nothing between thousands/],
    ["what may be two thousand or two", ["2000.00", "2.000"], /there is nothing between thousands/],
    ["an exponent", ["2000.00", "2e3"], /^base must be an amount/],
    ["a date whose day and month nobody knows", ["2026-11-01", "11/01/2026"], /^valid_from must be a day/],
    ["a fraction of a cent", ["2000.00", "2000.005"], /^base must be an amount/],
    ["a base below zero", ["2000.00", "-2000.00"], /must not be below zero/],
    ["a surcharge without an amount", ["350.50", ""], /^surcharges of BAF is missing/],
    ["a surcharge without a code", ["BAF=", "="], /^surcharges must be codes and amounts/],
    ["a surcharge twice", ["THC", "BAF"], /^surcharges names BAF twice/],
    ["a total that is wrong", ["2350.50", "2350.00"], /^total must be 2350\.50, which base and surcharges/],
    ["more cells than columns", ["2350.50", "2350.50,1"], /^there are 11 cells under 10 columns/],
    ["a quote left open", ["USD", '"USD'], /^a quote is not closed/],
  ] as const) {
    test(`a line with ${what} is a problem with its number, and stops nothing else`, () => {
      const other = GOOD.replace("40HC", "20GP");
      const { rates, problems, lines } = read(`${HEADING}\n${GOOD.replace(change[0], change[1])}\n${other}`);
      assert.equal(lines, 2);
      assert.equal(rates.length, 1);
      assert.deepEqual(
        problems.map(({ line }) => line),
        [2],
      );
      assert.match(problems[0]!.message, message);
    });
  }

  test("a problem has everything that is wrong with a line", () => {
    const { problems } = read(`${HEADING}\nX,Y,Z,W,USD,today,,1.001,,`);
    for (const name of ["origin", "destination", "equipment", "carrier", "valid_from", "base"]) {
      assert.match(problems[0]!.message, new RegExp(`(?:^|; )${name} must be`));
    }
  });

  test("amounts that no currency has are reported with a missing or wrong currency", () => {
    const problems = (change: readonly [string, string]) =>
      read(`${HEADING}\n${GOOD.replace("USD", "US$").replace(...change)}`).problems[0]!.message;
    assert.match(
      problems(["2000.00", '"1,250.00"']),
      /^currency must be .*; base must be an amount such as 1234\.50: no currency has more than three/,
    );
    assert.match(problems(["350.50", "1e3"]), /; surcharges of BAF must be an amount/);
    assert.match(problems(["2350.50", "2350.5005"]), /; total must be an amount/);
    assert.match(problems(["2000.00", ""]), /; base is missing/);
    // Two thousand of one currency, two of another.
    assert.doesNotMatch(problems(["2000.00", "2.000"]), /base|total/);
    const [json] = read('[{"base": 1e3}]', "json").problems;
    assert.match(json!.message, /currency is missing.*; base must be an amount/);
  });

  test("of two lines for one lane and first day, the second is a problem with the first one's number", () => {
    const { rates, problems } = read(`${HEADING}\n${GOOD}\n${GOOD.replace("40HC", "40HQ")}`);
    assert.equal(rates.length, 1);
    assert.deepEqual(problems, [
      { line: 3, message: "the same lane, layer and valid_from as line 2: leave one out" },
    ]);
  });

  test("a problem names the place of a JSON item that is no rate", () => {
    const { problems } = read('[7, {"orgin": "CNSHA"}]', "json");
    assert.deepEqual(
      problems.map(({ line }) => line),
      [1, 2],
    );
    assert.match(problems[1]!.message, /there is no field "orgin"; did you mean origin\?/);
    const keyed = read('[{"currency": "USD", "surcharges": {"BAF": 1}}, {"__proto__": {}}]', "json").problems;
    assert.match(keyed[0]!.message, /surcharges must be a list such as/);
    assert.match(keyed[1]!.message, /there is no field "__proto__"/);
  });

  for (const [what, text, message] of [
    [
      "a heading that lacks columns",
      "origin,base\nCNSHA,1",
      /^line 1: there is no column destination, equipment/,
    ],
    [
      "a column that nobody knows",
      `${HEADING},price\n`,
      /^line 1: there is no field "price"; there are origin/,
    ],
    ["a column twice", `${HEADING},base\n`, /^line 1: there are several columns "base"/],
    ["no heading", GOOD, /^line 1: it must name the columns: origin,/],
    ["tabs", HEADING.replaceAll(",", "\t"), /not by tabs/],
    ["nothing", "", /^line 1: it must name the columns/],
    ["a heading alone", HEADING, /^there is no rate in it/],
    ["another encoding", Buffer.from(HEADING, "utf16le"), /it must name the columns/],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x4f]), /not valid UTF-8/],
  ] as const) {
    test(`a file with ${what} is refused as a whole`, () => assert.match(refused(text), message));
  }

  test("what is no JSON, and no list, is refused as a whole", () => {
    assert.match(refused("{", "json"), /^it is no JSON/);
    assert.match(refused("[".repeat(1_000_000), "json"), /^it is nested too deeply/);
    assert.match(refused("{}", "json"), /^it must be a list of rates/);
    assert.match(refused("[]", "json"), /^there is no rate in it/);
  });

  test("a file beyond its bounds is refused by its size", () => {
    assert.match(
      refused(`${HEADING}\n${GOOD}`, "csv", { bytesMax: 100, linesMax: 9 }),
      /more than 100 bytes/,
    );
    const bounds = { bytesMax: 10_000, linesMax: 1 };
    assert.match(
      refused(`${HEADING}\n${GOOD}\n${GOOD}`, "csv", bounds),
      /more than 1 rates; load it in parts/,
    );
  });
});
