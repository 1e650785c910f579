/** Charges besides the base rate: for a container, for a bill of lading, or a percentage of the base (docs/rates.md). */
import type { Static } from "typebox";

import type { NotInTotal, Surcharge as SurchargeSchema } from "../event-data.ts";
import { digitsOf } from "../currency.ts";
import { divideRounded, formatDecimal, PERCENT_DIGITS } from "../decimal.ts";
import type { Per } from "./per.ts";

export type Surcharge = {
  /** As the carrier calls it: `BAF`, `THC`, `PSS`. */
  readonly code: string;
  readonly name: string | null;
  readonly per: Per;
  /** Hundredths of a percent of the base; null: of another kind. */
  readonly percent: bigint | null;
  /** Minor units of its currency, for one container or bill; below zero for a rebate. */
  readonly amount: bigint;
  /** Null: the lane's. */
  readonly currency: string | null;
  /** The base rate already includes it. */
  readonly included: boolean;
};

const HUNDREDTHS_OF_PERCENT = 10_000n;

/** Rounds half away from zero. */
export function percentOf(base: bigint, percent: bigint): bigint {
  return divideRounded(base * percent, HUNDREDTHS_OF_PERCENT);
}

/** For one container, in the lane's currency. */
export function totalOf(base: bigint, surcharges: readonly Surcharge[]): bigint {
  return surcharges.reduce((sum, one) => (one.included || !isInTotal(one) ? sum : sum + one.amount), base);
}

/** A bill's does not grow with the containers, and no rate of exchange is the lane's. */
function isInTotal({ per, currency }: Surcharge): boolean {
  return per !== "bill" && currency === null;
}

/** What else is to be paid: sums for one container or bill, by currency. */
export function notInTotal(
  surcharges: readonly Surcharge[],
  laneCurrency: string,
): Static<typeof NotInTotal>[] {
  const sums = new Map<string, bigint>();
  for (const one of surcharges) {
    if (one.included || isInTotal(one)) continue;
    const key = `${one.per === "bill" ? "bill" : "container"} ${one.currency ?? laneCurrency}`;
    sums.set(key, (sums.get(key) ?? 0n) + one.amount);
  }
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, sum]) => {
      const [per, currency] = key.split(" ") as ["bill" | "container", string];
      return { per, currency, amount: formatDecimal(sum, digitsOf(currency)) };
    });
}

export function surchargeViews(
  surcharges: readonly Surcharge[],
  laneCurrency: string,
): Static<typeof SurchargeSchema>[] {
  return surcharges.map(({ code, name, per, percent, amount, currency, included }) => ({
    code,
    amount: formatDecimal(amount, digitsOf(currency ?? laneCurrency)),
    included,
    per,
    percent: percent === null ? null : formatDecimal(percent, PERCENT_DIGITS),
    currency: currency ?? laneCurrency,
    name,
  }));
}

/** What most surcharges do not have; without all of it the text is that of rates stored before. */
type More = {
  readonly name?: string;
  readonly per?: "bill";
  readonly percent?: string;
  readonly currency?: string;
};

type Stored = readonly [code: string, amount: string, included: boolean, more?: More];

export function surchargesText(surcharges: readonly Surcharge[]): string {
  return JSON.stringify(
    surcharges.map(({ code, name, per, percent, amount, currency, included }): Stored => {
      const more: More = {
        ...(name !== null && { name }),
        ...(per === "bill" && { per }),
        ...(percent !== null && { percent: percent.toString() }),
        ...(currency !== null && { currency }),
      };
      const stored = [code, amount.toString(), included] as const;
      return Object.keys(more).length === 0 ? stored : [...stored, more];
    }),
  );
}

export function surchargesOf(text: string): readonly Surcharge[] {
  return (JSON.parse(text) as readonly Stored[]).map(([code, amount, included, more = {}]) => ({
    code,
    name: more.name ?? null,
    per: more.percent === undefined ? (more.per ?? "container") : "percent",
    percent: more.percent === undefined ? null : BigInt(more.percent),
    amount: BigInt(amount),
    currency: more.currency ?? null,
    included,
  }));
}
