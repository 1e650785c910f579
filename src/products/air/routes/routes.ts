import { knownAirline } from "../../../freight/references/awb-prefixes.ts";
import type { ProductRoutes, Route } from "../../../http/product.ts";
import { airlineRoute } from "./airline.ts";
import { stopTrackingRoute, trackRoute } from "./track.ts";
import type { AirTracking } from "./tracking.ts";

/** The routes that air cargo has besides the webhooks. */
export function airRoutes(tracking?: AirTracking): ProductRoutes {
  const mounted = (waybills: AirTracking): readonly Route[] =>
    [trackRoute, stopTrackingRoute].map((route) => (app, context) => route(app, context, waybills));
  const airlineBy = tracking?.resolveAirline ?? knownAirline;
  return {
    keyed: tracking === undefined ? [] : mounted(tracking),
    open: [(app, context) => airlineRoute(app, context, airlineBy)],
  };
}
