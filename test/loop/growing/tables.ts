/** Events, tables of rates and their like. */
import { readLoadRequest } from "../../../src/products/loading/request/read-request.ts";
import type { SentRequest } from "../../../src/products/loading/request/request-schema.ts";
import { parseExactJson } from "../../../src/freight/tables/rows.ts";
import { parseLosslessSteps, readJsonSteps } from "../../../src/model/json.ts";
import { readEvents } from "../../../src/operator/read-events.ts";
import { readExchangeRates } from "../../../src/products/rates/currencies/read-exchange-rates.ts";
import { readIndexDefinition } from "../../../src/products/rates/indices/definition.ts";
import { readRates, REQUEST_BOUNDS } from "../../../src/products/rates/lanes/read-rates.ts";
import type { SlicedWork } from "../../../src/runtime/time-slices.ts";
import { type Intake, NOW_MS, sliced, many, listed, minute, letters } from "./grown.ts";

const EVENT = {
  product: "rates",
  account_id: "01900000-0000-7000-8000-00000000000a",
  type: "index_refreshed",
};

function* eventsOf(text: string): SlicedWork<unknown> {
  const json = yield* readJsonSteps(Buffer.from(text));
  const written = yield* parseLosslessSteps(text);
  return (
    json.ok &&
    (yield* readEvents(json.value, written, NOW_MS, {
      checkData: () => ({ ok: true }),
      referencesOf: () => [],
    }))
  );
}

export const EVENTS: Intake = {
  read: sliced(eventsOf),
  texts: {
    events: [500, (n) => `{"events":${listed(n, (at) => ({ ...EVENT, data: { at, value: "1042.17" } }))}}`],
    "a list in one": [
      14_000,
      (n) =>
        `{"events":[${JSON.stringify({ ...EVENT, data: { a: Array.from({ length: n }, () => [{}]) } })}]}`,
    ],
    names: [6_000, (n) => `{"events":[{"data":{${many(n, (at) => `"n${at}":1e3`, ",")}}}]}`],
  },
};

const HEADING = "origin,destination,equipment,currency,valid_from,base,surcharges\n";
const RATE = (at: number): string =>
  `CNSHA,NLRTM,40HC,USD,${minute(at * 1_440).slice(0, 10)},1234.50,BAF=${at}`;

export const RATES: Intake = {
  read: sliced((text) => readRates(Buffer.from(text), "csv", REQUEST_BOUNDS)),
  texts: {
    lines: [400, (n) => HEADING + many(n, RATE, "\n")],
    "one line again and again": [400, (n) => HEADING + many(n, () => RATE(1), "\n")],
    "empty lines": [20_000, (n) => `${HEADING}${"\n".repeat(n)}${RATE(1)}`],
    "open quotes": [400, (n) => `${HEADING}${'"\na\n'.repeat(n)}`],
    columns: [1_000, (n) => many(n, letters, ",")],
    surcharges: [
      100,
      (n) => `${HEADING}CNSHA,NLRTM,40HC,USD,2026-11-01,1,${many(n, (at) => `${letters(at)}=1`, "|")}`,
    ],
  },
};

export const RATES_IN_JSON: Intake = {
  read: sliced((text) => readRates(Buffer.from(text), "json", REQUEST_BOUNDS)),
  texts: {
    rates: [
      800,
      (n) =>
        listed(n, (at) => ({
          ...{ origin: "CNSHA", destination: "NLRTM", equipment: "40HC", currency: "USD", base: "1" },
          valid_from: minute(at * 1_440).slice(0, 10),
        })),
    ],
    "unknown fields": [8_000, (n) => `[{${many(n, (at) => `"n${at}":0`, ",")}}]`],
    "surcharges of one": [8_000, (n) => `[{"surcharges":${listed(n, () => ({ code: 1 }))}}]`],
  },
};

export const CURRENCIES: Intake = {
  read: sliced((text) =>
    readExchangeRates(Buffer.from(text), "csv", { source: "ECB", base: "EUR", today: "2026-11-20" }),
  ),
  texts: {
    days: [
      400,
      (n) => `Date,USD,JPY\n${many(n, (at) => `${minute(-at * 1_440).slice(0, 10)},1.1,150`, "\n")}`,
    ],
  },
};

const LANE = { origin: "CNSHA", equipment: "40HC", weight: "1" };

export const INDEX: Intake = {
  read: (text) => readIndexDefinition(Buffer.from(text)),
  texts: {
    "trade lanes": [
      200,
      (n) =>
        JSON.stringify({
          ...{ id: "a", name: "a", currency: "USD", base_date: "2026-11-01" },
          lanes: Array.from({ length: n }, (_, at) => ({ ...LANE, destination: `NL${letters(at)}` })),
        }),
    ],
    names: [1_000, (n) => `{${many(n, (at) => `"n${at}":0`, ",")}}`],
  },
};

export const PLANS: Intake = {
  read: (text) => readLoadRequest(parseExactJson(text) as SentRequest),
  texts: {
    lines: [
      400,
      (n) =>
        `{"cargo":${listed(n, (at) => ({ id: `l${at}`, length_mm: 100, width_mm: 100, height_mm: 100, weight_kg: 1, count: 1 }))}}`,
    ],
  },
};
