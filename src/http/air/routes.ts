import type { OwnRoutes } from "../product.ts";
import { airlineRoute } from "./airline.ts";

/** The routes that air cargo has besides the webhooks (spec 4.2, 4.3). */
export function airRoutes(): OwnRoutes {
  return { keyed: [], open: [airlineRoute] };
}
