import type { ProductRoutes } from "../../../http/product.ts";
import { portCallsRoute } from "./port-calls.ts";
import { reliabilityRoute } from "./reliability.ts";
import { sailingsRoute } from "./sailings.ts";
import { vesselRoute } from "./vessel.ts";

/** The routes of sailing schedules besides the webhooks, all without a key (spec 5: public_routes; docs/sailing-search.md). */
export function scheduleRoutes(settings: { readonly reliabilityWindowDays: number }): ProductRoutes {
  return {
    keyed: [],
    open: [sailingsRoute, portCallsRoute, vesselRoute, reliabilityRoute(settings.reliabilityWindowDays)],
  };
}
