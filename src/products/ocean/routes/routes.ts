import type { CarrierCallbacks } from "../sources/callback.ts";
import type { ProductRoutes, Route } from "../../../http/product.ts";
import type { TrackPorts } from "../tracking/track.ts";
import { callbackRoutes } from "./callback.ts";
import {
  lookupRoute,
  listContainersRoute,
  readContainerRoute,
  recheckRoute,
  removeContainerRoute,
  startRoute,
} from "./containers.ts";

/** The container routes (spec 4.2) and the carriers' callbacks. */
export function containerRoutes(ports: TrackPorts, callbacks?: CarrierCallbacks): ProductRoutes {
  const withPorts =
    (route: (...mounted: [...Parameters<Route>, TrackPorts]) => void): Route =>
    (app, context) =>
      route(app, context, ports);
  const keyed = [startRoute, listContainersRoute, readContainerRoute, removeContainerRoute, recheckRoute];
  const pushed: readonly Route[] =
    callbacks === undefined ? [] : [(app, context) => callbackRoutes(app, context, callbacks)];
  return { keyed: keyed.map(withPorts), open: [withPorts(lookupRoute), ...pushed] };
}
