/** Freight rates (spec 6.2: lane_rate_updated, index_refreshed). */
import type { Product } from "../../model/product.ts";
import { IndexRefreshedData, LaneRateUpdatedData } from "./event-data.ts";
import { ratesExamples } from "./examples.ts";

export const rates: Product = {
  tag: "rates",
  title: "Freight rates",
  headerTag: "Rates",
  keyPrefixes: ["rates", "tracking"],
  entitlement: "freightrates",
  envelope: "data-only",
  versions: [],
  arePayloadsOpen: true,
  examples: ratesExamples,
  catalogue: [
    {
      name: "lane_rate_updated",
      description: "The current rate of a lane changed; once for each change.",
      subscribable: true,
      raised: true,
      data: LaneRateUpdatedData,
      example: {
        lane_id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
        origin: "CNSHA",
        destination: "NLRTM",
        equipment: "40HC",
        carrier: null,
        currency: "USD",
        reason: "loaded",
        effective_on: "2026-12-01",
        old_total: "2150.00",
        new_base: "1900.00",
        new_total: "2240.00",
        change: "90.00",
        change_percent: "4.19",
        surcharges: [{ code: "BAF", amount: "340.00", included: false }],
        valid_from: "2026-12-01",
        valid_to: "2026-12-31",
      },
    },
    {
      name: "index_refreshed",
      description: "An index has a value for a new date; once for each date.",
      subscribable: true,
      raised: true,
      data: IndexRefreshedData,
      example: {
        index_id: "far-east-north-europe",
        name: "Far East to North Europe",
        currency: "USD",
        dated: "2026-11-20",
        value: "1042.17",
        previous: { dated: "2026-11-13", value: "1000.00", change: "42.17", change_percent: "4.22" },
        four_weeks_before: null,
        coverage_percent: "100.00",
        lanes_carried: 0,
        lanes_missing: 0,
        lanes: 12,
      },
    },
  ],
};
