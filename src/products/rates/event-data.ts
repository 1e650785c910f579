/** The data of the events of freight rates (docs/rates.md). Decimals are text, so that nothing rounds them. */
import Type from "typebox";

import { LAYERS } from "./lanes/layers.ts";
import { KINDS } from "./lanes/offer.ts";
import { PER } from "./lanes/per.ts";
import { TERM_FIELDS, type TermField } from "./lanes/terms.ts";
import { CalendarDate, nullable, openObject, UnLocode } from "../../model/data-types.ts";
import { ExchangeRateSchema } from "./currencies/exchange-schema.ts";

export const Amount = Type.String({
  pattern: "^-?[0-9]+(\\.[0-9]+)?$",
  description: "a decimal with the digits of the currency, such as 1234.50",
});

export const Percent = Type.String({
  pattern: "^-?[0-9]+\\.[0-9]{2}$",
  description: "percent with two decimals, such as -4.17",
});

export const Points = Type.String({
  pattern: "^-?[0-9]+\\.[0-9]{2}$",
  description: "points of the index with two decimals, such as 1042.17",
});

export const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217" });

export const Layer = Type.Enum([...LAYERS], {
  description: "a promotion goes before the standard rate while it runs, and gives it back when it ends",
});

/** What identifies a trade lane, with its currency. */
export const laneFields = {
  origin: UnLocode,
  destination: UnLocode,
  equipment: Type.String({
    description: "an ISO 6346 size and type code, or the trade's group: 22G1, 20GP, 40HC",
  }),
  carrier: nullable(Type.String({ description: "SCAC; null: the market's rate" })),
};

/** What a lane's rates are for. */
export const offerFields = {
  kind: nullable(Type.Enum([...KINDS]), { description: "null: not stated" }),
  contract: nullable(Type.String({ description: "its number or name" })),
  commodity: Type.String({ description: "as the carrier calls it; FAK: freight of all kinds" }),
};

const Days = nullable(Type.Integer(), { description: "days; null: not stated" });

/** A rate's transit time, and its free days at both ends: combined ones are of demurrage and detention together. */
export const termFields = Object.fromEntries(TERM_FIELDS.map((field) => [field, Days])) as {
  readonly [field in TermField]: typeof Days;
};

export const Surcharge = Type.Object(
  {
    code: Type.String({ description: "as the carrier calls it: BAF, THC, PSS" }),
    amount: Amount,
    included: Type.Boolean({ description: "already in the base rate, and not added to the total" }),
    per: Type.Enum([...PER], { description: "a percentage is of the base, and amount what it comes to" }),
    percent: nullable(Type.String({ description: "of the base, with two decimals; null: of another kind" })),
    currency: Currency,
    name: nullable(Type.String()),
  },
  { title: "Surcharge" },
);

/** What older events have of one as well. */
const { per, percent, currency, name, ...oldSurchargeFields } = Surcharge.properties;
const RaisedSurcharge = Type.Object(
  { ...oldSurchargeFields, ...Type.Partial(Type.Object({ per, percent, currency, name })).properties },
  { title: "RaisedSurcharge" },
);

export const NotInTotal = Type.Object(
  { per: Type.Enum(["container", "bill"]), currency: Currency, amount: Amount },
  {
    title: "NotInTotal",
    description: "what is to be paid besides the total: for each bill of lading, or in another currency",
  },
);

/** Boathook's own events have every field; yours may leave out the optional ones. */
export const LaneRateUpdatedData = openObject("LaneRateUpdatedData", {
  lane_id: Type.Optional(Type.String({ format: "uuid" })),
  ...laneFields,
  currency: Currency,
  reason: Type.Optional(
    Type.Enum(["loaded", "removed", "began", "expired"], {
      description: "a rate was loaded or removed; or on the day one began, or the one before expired",
    }),
  ),
  effective_on: Type.Optional(CalendarDate),
  old_base: Type.Optional(nullable(Amount)),
  old_total: nullable(Amount),
  new_base: Type.Optional(nullable(Amount)),
  new_total: nullable(Amount),
  change: Type.Optional(nullable(Amount)),
  change_percent: Type.Optional(nullable(Percent)),
  surcharges: Type.Optional(Type.Array(RaisedSurcharge, { description: "of the new rate, by code" })),
  not_in_total: Type.Optional(Type.Array(NotInTotal)),
  old_layer: Type.Optional(nullable(Layer, { description: "of the rate before; null: there was none" })),
  new_layer: Type.Optional(nullable(Layer, { description: "of the new rate; null: there is none" })),
  valid_from: Type.Optional(nullable(CalendarDate)),
  valid_to: Type.Optional(nullable(CalendarDate)),
  ...Type.Partial(Type.Object(offerFields)).properties,
  ...Type.Partial(Type.Object(termFields)).properties,
});

export const IndexComparison = Type.Object(
  {
    dated: CalendarDate,
    value: Points,
    change: Points,
    change_percent: nullable(Percent),
  },
  { title: "IndexComparison", description: "an earlier value, and the change since" },
);

const comparisonFields = {
  previous: nullable(IndexComparison),
  four_weeks_before: nullable(IndexComparison),
  coverage_percent: Percent,
  lanes_carried: Type.Integer({
    description: "lanes whose last rate has ended; it counts for four more weeks",
  }),
  lanes_missing: Type.Integer({ description: "lanes without a price, left out" }),
  exchange_rates: Type.Array(ExchangeRateSchema, {
    description: "that converted prices of other currencies, the latest first; empty: there are none",
  }),
  currencies_missing: Type.Array(Currency, {
    description: "without an exchange rate of the day; lanes_missing counts their lanes",
  }),
};

/** An index value in the API. */
export const indexValueFields = {
  dated: CalendarDate,
  value: Points,
  ...comparisonFields,
};

export const IndexRefreshedData = openObject("IndexRefreshedData", {
  index_id: Type.String(),
  name: Type.Optional(Type.String()),
  currency: Type.Optional(Currency),
  dated: CalendarDate,
  value: Points,
  ...Type.Partial(Type.Object(comparisonFields)).properties,
  lanes: Type.Optional(Type.Integer({ description: "lanes of the basket" })),
});
