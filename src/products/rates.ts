/** Freight rates (spec 6.2). The payloads of its events are not defined yet. */
import type { Product } from "../model/product.ts";
import { AnyObject } from "./shapes.ts";

export const rates: Product = {
  tag: "rates",
  title: "Freight rates",
  headerTag: "Rates",
  keyPrefixes: ["rates", "tracking"],
  entitlement: "freightrates",
  envelope: "data-only",
  versions: [],
  catalogue: [
    {
      name: "lane_rate_updated",
      description: "The rate of a lane changed.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
    {
      name: "index_refreshed",
      description: "A rate index has new values.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
  ],
};
