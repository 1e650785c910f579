import type { ProductRoutes } from "../../../http/product.ts";
import { listIndicesRoute, readIndexRoute } from "./indices.ts";
import { loadedRatesRoute } from "./loaded.ts";
import { laneHistoryRoute, listLanesRoute, readLaneRoute } from "./lanes.ts";

/** The routes of freight rates besides the webhooks (docs/rates.md). All need the entitlement. */
export function rateRoutes(): ProductRoutes {
  const reading = [
    listLanesRoute,
    readLaneRoute,
    laneHistoryRoute,
    loadedRatesRoute,
    listIndicesRoute,
    readIndexRoute,
  ];
  return { keyed: reading, open: [], reading };
}
