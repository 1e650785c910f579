import type { ProductRoutes } from "../../../http/product.ts";
import { connectionsRoute } from "./connections.ts";
import { portCallHistoryRoute } from "./port-call-history.ts";
import { portCallsRoute } from "./port-calls.ts";
import { portsRoute } from "./ports.ts";
import { reliabilityRoute } from "./reliability.ts";
import { sailingsRoute } from "./sailings.ts";
import { vesselRoute } from "./vessel.ts";

/** The routes of sailing schedules besides the webhooks, all without a key (spec 5: public_routes; docs/schedules.md). */
export function scheduleRoutes(settings: {
  readonly reliabilityWindowDays: number;
  readonly transshipmentMs: number;
}): ProductRoutes {
  const reliability = reliabilityRoute(settings.reliabilityWindowDays);
  const connections = connectionsRoute(settings.transshipmentMs);
  const reading = [
    sailingsRoute,
    connections,
    portsRoute,
    portCallsRoute,
    portCallHistoryRoute,
    vesselRoute,
    reliability,
  ];
  return { keyed: [], open: reading, reading };
}
