import type { CarrierCallbacks } from "../sources/callback.ts";
import type { ProductRoutes, Route } from "../../../http/product.ts";
import type { ReadPorts } from "../tracking/track.ts";
import { callbackRoutes } from "./callback.ts";
import {
  lookupRoute,
  listContainersRoute,
  positionsRoute,
  readContainerRoute,
  recheckRoute,
  removeContainerRoute,
  startRoute,
} from "./containers.ts";

/** The container routes (spec 4.2) and the carriers' callbacks. */
export function containerRoutes(ports: ReadPorts, callbacks?: CarrierCallbacks): ProductRoutes {
  const withPorts =
    (route: (...mounted: [...Parameters<Route>, ReadPorts]) => void): Route =>
    (app, context) =>
      route(app, context, ports);
  const reading = [listContainersRoute, readContainerRoute, positionsRoute].map(withPorts);
  const changing = [startRoute, removeContainerRoute, recheckRoute].map(withPorts);
  const pushed: readonly Route[] =
    callbacks === undefined ? [] : [(app, context) => callbackRoutes(app, context, callbacks)];
  return { keyed: [...changing, ...reading], open: [withPorts(lookupRoute), ...pushed], reading };
}
