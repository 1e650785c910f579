/** Files of exchange rates: in the form of the European Central Bank, one rate a line, and what is wrong with them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";

import { exchangeRateText } from "../../src/products/rates/currencies/exchange-rate.ts";
import {
  EXCHANGE_BOUNDS,
  readExchangeRates,
  type ExchangeDefaults,
} from "../../src/products/rates/currencies/read-exchange-rates.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";

const DEFAULTS: ExchangeDefaults = { source: "ECB", base: null, today: "2026-11-20" };

function read(text: string, defaults: Partial<ExchangeDefaults> = {}, format: "csv" | "json" = "csv") {
  return runToEnd(readExchangeRates(Buffer.from(text), format, { ...DEFAULTS, ...defaults }));
}

/** Each rate in one text. */
function ratesIn(...given: Parameters<typeof read>) {
  const result = read(...given);
  assert.ok(result.kind === "exchange-rates", inspect(result));
  const rates = result.rates.map(
    ({ source, base, currency, date, rate }) =>
      `${date} ${source} ${base} ${currency} ${exchangeRateText(rate)}`,
  );
  return { ...result, rates };
}

/** The columns of the file of all days, with the comma behind the last. */
const ECB_COLUMNS =
  "Date,USD,JPY,BGN,CYP,CZK,DKK,EEK,GBP,HUF,LTL,LVL,MTL,PLN,ROL,RON,SEK,SIT,SKK,CHF,ISK,NOK,HRK,RUB,TRL,TRY,AUD,BRL," +
  "CAD,CNY,HKD,IDR,ILS,INR,KRW,MXN,MYR,NZD,PHP,SGD,THB,ZAR,";

describe("exchange rates in the form of the European Central Bank", () => {
  test("are read of all days: cells without a rate and columns of withdrawn currencies are left out", () => {
    const cells = (of: Readonly<Record<string, string>>) =>
      `${ECB_COLUMNS.split(",")
        .slice(0, -1)
        .map((name) => of[name] ?? "N/A")
        .join(",")},`;
    const { lines, rates, problems, leftOut } = ratesIn(
      [
        ECB_COLUMNS,
        cells({ Date: "2026-11-19", USD: "1.1302", JPY: "176.5", IDR: "18790.55" }),
        cells({ Date: "1999-01-04", USD: "1.1789", CYP: "0.58231", TRL: "372274.0" }),
        "",
      ].join("\n"),
    );
    assert.deepEqual([lines, problems], [2, []]);
    assert.deepEqual(rates, [
      "2026-11-19 ECB EUR USD 1.1302",
      "2026-11-19 ECB EUR JPY 176.5",
      "2026-11-19 ECB EUR IDR 18790.55",
      "1999-01-04 ECB EUR USD 1.1789",
    ]);
    assert.deepEqual(leftOut, ["CYP", "EEK", "LTL", "LVL", "MTL", "ROL", "SIT", "SKK", "HRK", "TRL"]);
  });

  test("are read of one day, with blanks behind the commas and the month as a word", () => {
    const { rates } = ratesIn("Date, USD, JPY, \n19 November 2026, 1.1302, 176.50, \n");
    assert.deepEqual(rates, ["2026-11-19 ECB EUR USD 1.1302", "2026-11-19 ECB EUR JPY 176.5"]);
  });

  test("have another base and source where the caller says so; the base's own column is 1", () => {
    const { rates } = ratesIn("\uFEFFDate;USD;EUR\n19.11.2026;1;0,88480\n", { source: "Bank", base: "USD" });
    assert.deepEqual(rates, ["2026-11-19 Bank USD EUR 0.8848"]);
    const { problems } = ratesIn("Date,USD,EUR\n2026-11-18,1,0.88\n2026-11-19,1.13,1\n", { base: "USD" });
    assert.deepEqual(problems, [
      { line: 3, message: "USD must be 1, because USD is the base of the rates; is it another currency?" },
    ]);
  });
});

describe("exchange rates, one a line", () => {
  const LINE = "2026-11-19,EUR,USD,1.1302,ECB";
  const HEADING = "date,base,currency,rate,source";

  test("are read from CSV and from JSON, to the last digit", () => {
    const { rates } = ratesIn(
      `${HEADING}\n${LINE}\n2026-11-19,EUR,KWD,0.000000000001,https://bank.example/rates\n`,
    );
    assert.deepEqual(rates, [
      "2026-11-19 ECB EUR USD 1.1302",
      "2026-11-19 https://bank.example/rates EUR KWD 0.000000000001",
    ]);
    const json = '{"exchange_rates":[{"date":"2026-11-19","currency":"usd","rate":1.10000000000000000000}]}';
    assert.deepEqual(ratesIn(json, { base: "EUR" }, "json").rates, ["2026-11-19 ECB EUR USD 1.1"]);
  });

  for (const [what, line, message] of [
    ["a day that is none", "2026-02-30,EUR,USD,1.1,ECB", /^date must be a day such as 2026-01-31/],
    ["no day", ",EUR,USD,1.1,ECB", /^date is missing/],
    ["a day years ahead", "2062-11-19,EUR,USD,1.1,ECB", /^date must not be more than a year ahead, as 2062/],
    ["a currency that is none", "2026-11-19,EUR,USS,1.1,ECB", /^currency must be a currency of ISO 4217/],
    ["a withdrawn currency", "2026-11-19,EUR,DEM,1.9,ECB", /^currency must be a currency of ISO 4217/],
    ["a base that is none", "2026-11-19,EU,USD,1.1,ECB", /^base must be a currency of ISO 4217 [^;]*$/],
    ["a rate of nothing", "2026-11-19,EUR,USD,0,ECB", /^rate must be a number above 0/],
    ["a rate below nothing", "2026-11-19,EUR,USD,-1.1,ECB", /^rate must be a number above 0/],
    ["an exponent", "2026-11-19,EUR,USD,1e3,ECB", /^rate must be a number above 0/],
    ["thirteen decimals", "2026-11-19,EUR,USD,1.1000000000001,ECB", /^rate must be .* at most 12 decimals/],
    ["a comma between thousands", '2026-11-19,EUR,IDR,"18,790.55",ECB', /nothing between thousands/],
    ["two lines in a source", '2026-11-19,EUR,USD,1.1,"E\nCB"', /^source must be a name or a URL, one line/],
    ["its base priced", "2026-11-19,EUR,EUR,1.1,ECB", /^rate must be 1, because EUR is the base/],
    ["the same rate again", LINE, /^the same rate as on line 2/],
    ["another base", "2026-11-18,USD,EUR,0.9,ECB", /^base must be EUR, as on line 2/],
    ["several errors", "2026,EUR,USS,0,ECB", /^date must.*; currency must.*; rate must/],
  ] as const) {
    test(`a line with ${what} is refused, with what to change, and the others are not`, () => {
      const { lines, rates, problems } = ratesIn(`${HEADING}\n${LINE}\n${line}\n`);
      assert.deepEqual([lines, rates.length, problems.length], [2, 1, 1]);
      assert.equal(problems[0]!.line, 3);
      assert.match(problems[0]!.message, message);
    });
  }

  test("a point before three digits is unclear where commas begin decimals", () => {
    const { rates, problems } = ratesIn(
      `${HEADING.replaceAll(",", ";")}\n19.11.2026;EUR;IDR;18.790;A\n19.11.2026;EUR;USD;1,130;A\n`,
    );
    assert.deepEqual(rates, ["2026-11-19 A EUR USD 1.13"]);
    assert.match(problems[0]!.message, /^rate must be a number above 0 such as 1,0832/);
  });

  test("more sources than there may be are refused", () => {
    const lines = Array.from({ length: 21 }, (_, at) => `2026-11-19,EUR,USD,1.1,bank ${at}`);
    const { rates, problems } = ratesIn(`${HEADING}\n${lines.join("\n")}\n`);
    assert.equal(rates.length, 20);
    assert.match(problems[0]!.message, /^more than 20 sources/);
  });
});

describe("a file of exchange rates is refused as a whole", () => {
  for (const [what, given, message] of [
    ["a column of no currency", ["Date,UDS\n2026-11-19,1.1"], /^line 1: .* "UDS"; did you mean USD\?/],
    [
      "other columns",
      ["Date,price\n2026-11-19,1.1"],
      /the columns are Date and currencies of ISO 4217, or date/,
    ],
    [
      "no day",
      ["day,USD\n2026-11-19,1.1"],
      /^line 1: it must name the columns: date,base,currency,rate,source/,
    ],
    ["no source", ["Date,USD\n2026-11-19,1.1", { source: null }], /give their source, such as ECB/],
    ["a column twice", ["Date,USD,usd\n2026-11-19,1.1,1.2"], /there are several columns "USD"/],
    ["no rate at all", ["Date,USD\n2026-11-19,N/A"], /^there is no exchange rate in it/],
    ["nothing in it", [""], /^line 1: it must name the columns: date,base,currency,rate,source/],
    ["JSON that is none", ["{", {}, "json"], /^it is no JSON/],
    ["bytes without end", ["x".repeat(EXCHANGE_BOUNDS.bytesMax + 1)], /^there are more than 8388608 bytes/],
  ] as const) {
    test(`for ${what}`, () => {
      const result = read(...(given as unknown as Parameters<typeof read>));
      assert.ok(result.kind === "unreadable", inspect(result));
      assert.match(result.message, message);
    });
  }
});
