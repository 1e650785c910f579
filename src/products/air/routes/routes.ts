import type { ProductRoutes } from "../../../http/product.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import type { TrackAwb } from "../tracking/track.ts";
import { airlineRoute } from "./airline.ts";
import { stopTrackingRoute, trackRoute } from "./track.ts";

/** The routes that air cargo has besides the webhooks. */
export function airRoutes(airlines: readonly Airline[], track: TrackAwb): ProductRoutes {
  return {
    keyed: [(app, context) => trackRoute(app, context, track), stopTrackingRoute],
    open: [(app, context) => airlineRoute(app, context, airlines)],
  };
}
