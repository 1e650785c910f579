import type { MoreRoutes } from "../product.ts";
import { listContainersRoute } from "./list.ts";
import { readContainerRoute } from "./read.ts";
import { recheckRoute } from "./recheck.ts";
import { startRoute } from "./start.ts";
import type { OceanTracking } from "./tracking.ts";

/** The routes that ocean tracking has besides the webhooks (spec 4.2). */
export function containerRoutes(tracking: OceanTracking): readonly MoreRoutes[] {
  return [startRoute, recheckRoute, readContainerRoute, listContainersRoute].map(
    (route): MoreRoutes =>
      (app, context) =>
        route(app, context, tracking),
  );
}
