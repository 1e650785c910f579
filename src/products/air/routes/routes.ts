import type { ProductRoutes, Route } from "../../../http/product.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import type { TrackAwb } from "../tracking/track.ts";
import type { WaybillDetailPorts } from "../tracking/waybill-detail.ts";
import { airlineRoute } from "./airline.ts";
import { stopTrackingRoute, trackRoute } from "./track.ts";
import { listWaybillsRoute, readWaybillRoute } from "./waybills.ts";

/** The routes that air cargo has besides the webhooks. */
export function airRoutes(
  airlines: readonly Airline[],
  track: TrackAwb,
  index: WaybillDetailPorts["index"],
): ProductRoutes {
  const reading: readonly Route[] = [
    (app, context) => listWaybillsRoute(app, context, { ...context, airlines }),
    (app, context) => readWaybillRoute(app, context, { ...context, airlines, index }),
  ];
  return {
    keyed: [(app, context) => trackRoute(app, context, track), stopTrackingRoute, ...reading],
    open: [(app, context) => airlineRoute(app, context, airlines)],
    reading,
  };
}
