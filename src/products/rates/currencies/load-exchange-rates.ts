/** Loads exchange rates, and removes them. Each is one transaction; loading the same again changes nothing. */
import { utcDay } from "../../../model/instant.ts";
import type { RatePorts } from "../lanes/load.ts";
import type { RateProblem } from "../lanes/read-rates.ts";
import { lockRateDay } from "../store/rate-lanes.ts";
import { removeExchangeRates, storeExchangeRates } from "../store/exchange/exchange-rates.ts";
import { exchangeSourceList, exchangeSourceUpsert } from "../store/exchange/exchange-rates.sql.ts";
import { EXCHANGE_SOURCES_MAX, exchangeRateText, type ExchangeRate } from "./exchange-rate.ts";
import type { ReadExchangeRates } from "./read-exchange-rates.ts";

export type ExchangeLoadAnswer = {
  readonly lines: number;
  /** Rates that were written. */
  readonly loaded: number;
  /** Of those, rates that replace one of the same source, date and currency. */
  readonly replaced: number;
  readonly unchanged: number;
  /** Lines. */
  readonly refused: number;
  readonly problems: readonly RateProblem[];
  /** Columns of withdrawn currencies. */
  readonly left_out: readonly string[];
};

export type ExchangeLoadResult =
  /** `stopped`: by its problems. */
  | { readonly kind: "loaded" | "stopped"; readonly answer: ExchangeLoadAnswer }
  /** `message` says what to change. */
  | { readonly kind: "refused"; readonly message: string; readonly answer: ExchangeLoadAnswer };

const RATES_PER_STATEMENT_MAX = 5_000;

/** Loads the lines of a file that are right; in a strict load, a single problem stops all. */
export async function loadExchangeRates(
  ports: RatePorts,
  { lines, rates, problems, leftOut }: Extract<ReadExchangeRates, { kind: "exchange-rates" }>,
  isStrict: boolean,
): Promise<ExchangeLoadResult> {
  const refused = { refused: problems.length, problems, left_out: leftOut };
  const nothing = { lines, ...NOTHING, ...refused };
  if (problems.length > 0 && (isStrict || rates.length === 0)) return { kind: "stopped", answer: nothing };
  const stored = await storeAll(ports, rates);
  return typeof stored === "string"
    ? { kind: "refused", message: stored, answer: nothing }
    : { kind: "loaded", answer: { lines, ...stored, ...refused } };
}

const NOTHING = { loaded: 0, replaced: 0, unchanged: 0 };

/** What a load answers of a file that is refused as a whole. */
export const NOTHING_READ: ExchangeLoadAnswer = {
  ...{ lines: 0, ...NOTHING, refused: 0 },
  ...{ problems: [], left_out: [] },
};

/** What it wrote; or why it wrote nothing. */
function storeAll({ database, productCells, clock }: RatePorts, rates: readonly ExchangeRate[]) {
  const cell = productCells.of("rates");
  return database.transaction(async (tx) => {
    const atMs = clock.nowMs();
    // One load at a time; and no value is computed from the half of one.
    await lockRateDay(tx, cell, utcDay(atMs));
    const known = new Map(
      (await exchangeSourceList(tx, cell, EXCHANGE_SOURCES_MAX)).map(({ source, base }) => [source, base]),
    );
    const baseOf = new Map(rates.map(({ source, base }) => [source, base]));
    for (const [source, base] of baseOf) {
      const own = known.get(source);
      if (own !== undefined && own !== base) {
        return `the rates of ${source} are per ${own}, and these are per ${base}: take another source, or remove it first`;
      }
      known.set(source, base);
    }
    if (known.size > EXCHANGE_SOURCES_MAX) {
      return `there would be more than ${EXCHANGE_SOURCES_MAX} sources of exchange rates; remove one first`;
    }
    for (const [source, base] of baseOf) await exchangeSourceUpsert(tx, cell, { source, base, at: atMs });
    let [unchanged, replaced] = [0, 0];
    for (let start = 0; start < rates.length; start += RATES_PER_STATEMENT_MAX) {
      const some = rates.slice(start, start + RATES_PER_STATEMENT_MAX);
      const before = await storeExchangeRates(tx, cell, some.map(columnsOf));
      unchanged += before.same;
      replaced += before.other;
    }
    return { loaded: rates.length - unchanged, replaced, unchanged };
  });
}

function columnsOf({ source, currency, date, rate }: ExchangeRate) {
  return { source, dated: date, currency, rate: exchangeRateText(rate) };
}

/** Those of a day, or of all days. Values that were computed with them stay. Returns how many; 0: there are none. */
export function deleteExchangeRates(
  { database, productCells, clock }: RatePorts,
  source: string,
  day: string | null,
): Promise<number> {
  const cell = productCells.of("rates");
  return database.transaction(async (tx) => {
    await lockRateDay(tx, cell, utcDay(clock.nowMs()));
    return removeExchangeRates(tx, cell, source, day);
  });
}
