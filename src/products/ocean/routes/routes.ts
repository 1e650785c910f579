import type { CarrierCallbacks } from "../sources/callback.ts";
import type { ProductRoutes, Route } from "../../../http/product.ts";
import { callbackRoutes } from "./callback.ts";
import { listContainersRoute } from "./list.ts";
import { lookupRoute } from "./lookup.ts";
import { readContainerRoute } from "./read.ts";
import { recheckRoute } from "./recheck.ts";
import { removeContainerRoute } from "./remove.ts";
import { startRoute } from "./start.ts";
import type { OceanTracking } from "./tracking.ts";

type ContainerRoute = (...mounted: [...Parameters<Route>, OceanTracking]) => void;

/** The routes that ocean tracking has besides the webhooks (spec 4.2), and where carriers push to. */
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
