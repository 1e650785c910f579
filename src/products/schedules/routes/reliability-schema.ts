/** Reliability in the API's description (docs/schedules.md). */
import Type from "typebox";

import { CalendarDate, nullable } from "../../../model/data-types.ts";

export const score = {
  on_time_percent: nullable(
    Type.Number({ minimum: 0, maximum: 100, description: "null: too few calls were measured" }),
  ),
  calls: Type.Integer({ description: "measured calls of the window" }),
  calls_on_time: Type.Integer({ description: "calls that arrived within a day of the expected time" }),
};

const CarrierScore = Type.Object({ carrier: Type.String(), ...score }, { title: "CarrierReliability" });

const TrendDay = Type.Object(
  { day: CalendarDate, ...score },
  { title: "ReliabilityDay", description: "of the window that ends with the day" },
);

const ServiceScore = Type.Object(
  {
    carrier: Type.String(),
    service: Type.String(),
    ...score,
    reference_percent: nullable(
      Type.Number({ description: "what the next fall counts from: the highest since the last event" }),
    ),
    trend: Type.Optional(
      Type.Array(TrendDay, {
        description: "with weeks: the oldest first; weeks without a score are left out",
      }),
    ),
  },
  { title: "ServiceReliability" },
);

export const ReliabilitySchema = Type.Object(
  {
    day: nullable(CalendarDate),
    window_days: Type.Integer({ description: "days of arrivals, ending with day" }),
    carriers: Type.Array(CarrierScore, { description: "all services of a carrier together" }),
    services: Type.Array(ServiceScore, { description: "by carrier and service" }),
  },
  {
    title: "Reliabilities",
  },
);
