/** Lanes, rates and indices in the API's description (docs/rates.md). */
import Type from "typebox";

import { ExchangeRateSchema } from "./currencies/exchange-schema.ts";
import {
  Amount,
  Currency,
  indexValueFields,
  laneFields,
  Layer,
  NotInTotal,
  offerFields,
  Points,
  Surcharge,
  termFields,
} from "./event-data.ts";
import { CalendarDate, nullable, UtcDateTime } from "../../model/data-types.ts";
import type { Refusal } from "../../http/refusal.ts";

const rateFields = {
  id: Type.String({ format: "uuid" }),
  layer: Layer,
  base: Amount,
  surcharges: Type.Array(Surcharge, { description: "by code" }),
  total: Amount,
  not_in_total: Type.Array(NotInTotal),
  valid_from: CalendarDate,
  valid_to: nullable(CalendarDate),
  ...termFields,
  loaded_at: UtcDateTime,
};

export const RateSchema = Type.Object(rateFields, {
  title: "Rate",
  description: "What one container costs.",
});

export const PastRateSchema = Type.Object(
  {
    ...rateFields,
    ended_at: nullable(UtcDateTime),
    ended_by: nullable(Type.Enum(["replaced", "removed"], { description: "null: in force" })),
  },
  { title: "PastRate" },
);

export const LoadedRateSchema = Type.Object(
  {
    ...PastRateSchema.properties,
    lane_id: Type.String({ format: "uuid" }),
    ...laneFields,
    currency: Currency,
    ...offerFields,
    old_total: nullable(Amount, {
      description: "of the standard rate before it in the lane's history; null: there is none",
    }),
    change_percent: nullable(Type.String({ description: "from old_total to total, to two decimals" })),
  },
  { title: "LoadedRate" },
);

export const LaneSchema = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    ...laneFields,
    currency: Currency,
    ...offerFields,
    rate: nullable(RateSchema),
  },
  { title: "Lane", description: "A lane with its rate on the day; null: it has none." },
);

export const LanePath = Type.Object({ id: Type.String({ description: "the lane's id, a UUID" }) });

export const NO_LANE: Refusal = { code: "NOT_FOUND", message: "there is no lane of that id" };

const indexFields = {
  id: Type.String(),
  name: Type.String(),
  currency: Currency,
  base_date: CalendarDate,
  base_value: Points,
  day: Type.String({ description: "the day of the week on which it is computed; none: on demand" }),
  hour_utc: Type.Integer(),
  next_at: nullable(UtcDateTime),
  created_at: UtcDateTime,
  exchange_source: nullable(Type.String(), {
    description: "whose exchange rates convert lanes of other currencies; null: there are none",
  }),
  base_exchange_rates: Type.Array(ExchangeRateSchema, { description: "that converted base_price" }),
};

export const IndexValueSchema = Type.Object(
  { ...indexValueFields, computed_at: UtcDateTime },
  { title: "IndexValue" },
);

export const IndexSchema = Type.Object({ ...indexFields, latest: IndexValueSchema }, { title: "Index" });

export const BasketLaneSchema = Type.Object(
  {
    ...laneFields,
    currency: Currency,
    weight: Type.String({ description: "a number of containers, a decimal" }),
    base_price: Type.String({ ...Amount, description: "on the base date, in the lane's currency" }),
  },
  { title: "BasketLane" },
);

export const IndexDetailSchema = Type.Object(
  {
    ...indexFields,
    lanes: Type.Array(BasketLaneSchema),
    values: Type.Array(IndexValueSchema, { description: "the latest first" }),
  },
  { title: "IndexDetail" },
);

export const IndexPath = Type.Object({ id: Type.String({ description: "the index's id" }) });

export const NO_INDEX: Refusal = { code: "NOT_FOUND", message: "there is no index of that id" };
