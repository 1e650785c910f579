import type { CarrierCallbacks } from "../sources/callback.ts";
import type { ProductRoutes, Route } from "../../../http/product.ts";
import { callbackRoutes } from "./callback.ts";
import {
  listContainersRoute,
  readContainerRoute,
  recheckRoute,
  removeContainerRoute,
  startRoute,
} from "./containers.ts";
import { lookupRoute } from "./lookup.ts";
import type { OceanTracking } from "./tracking.ts";

type ContainerRoute = (...mounted: [...Parameters<Route>, OceanTracking]) => void;

/** The container routes (spec 4.2) and the carriers' callbacks. */
export function containerRoutes(tracking: OceanTracking, callbacks?: CarrierCallbacks): ProductRoutes {
  const withTracking =
    (route: ContainerRoute): Route =>
    (app, context) =>
      route(app, context, tracking);
  const keyed = [startRoute, listContainersRoute, readContainerRoute, removeContainerRoute, recheckRoute];
  const pushed: readonly Route[] =
    callbacks === undefined ? [] : [(app, context) => callbackRoutes(app, context, callbacks)];
  return { keyed: keyed.map(withTracking), open: [withTracking(lookupRoute), ...pushed] };
}
