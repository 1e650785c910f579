import { knownAirline } from "../../../freight/references/awb-prefixes.ts";
import type { ProductRoutes, Route } from "../../../http/product.ts";
import { airlineRoute } from "./airline.ts";
import { stopTrackingRoute, trackRoute } from "./track.ts";
import type { AirTracking } from "./tracking.ts";

/** The routes that air cargo has besides the webhooks. */
export function airRoutes(tracking?: AirTracking): ProductRoutes {
  const keyed: readonly Route[] =
    tracking === undefined
      ? []
      : [
          (app, context) => trackRoute(app, context, tracking),
          (app, context) => stopTrackingRoute(app, context, tracking),
        ];
  const airlineBy = tracking?.resolveAirline ?? knownAirline;
  return { keyed, open: [(app, context) => airlineRoute(app, context, airlineBy)] };
}
