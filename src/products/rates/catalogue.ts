/** Freight rates (spec 6.2: lane_rate_updated, index_refreshed). */
import type { Product } from "../../model/product.ts";
import { IndexRefreshedData, LaneRateUpdatedData } from "./event-data.ts";

export const rates: Product = {
  tag: "rates",
  title: "Freight rates",
  headerTag: "Rates",
  keyPrefixes: ["rates", "tracking"],
  entitlement: "freightrates",
  envelope: "data-only",
  versions: [],
  arePayloadsOpen: true,
  catalogue: [
    {
      name: "lane_rate_updated",
      description: "The current rate of a lane changed; once for each change.",
      subscribable: true,
      raised: true,
      data: LaneRateUpdatedData,
    },
    {
      name: "index_refreshed",
      description: "An index has a value for a new date; once for each date.",
      subscribable: true,
      raised: true,
      data: IndexRefreshedData,
    },
  ],
};
