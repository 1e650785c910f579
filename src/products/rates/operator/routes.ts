import type { OperatorRoutes } from "../../../operator/ports.ts";
import { computeIndexRoute, defineIndexRoute, removeIndexRoute } from "./indices.ts";
import { loadRatesRoute, removeRateRoute } from "./load.ts";

/** `wakeBroadcaster` is called when broadcasts have been added, and the transaction has ended. */
export function rateOperatorRoutes(wakeBroadcaster: () => void): OperatorRoutes {
  return {
    guarded: [
      (app, ports) => loadRatesRoute(app, { ...ports, wakeBroadcaster }),
      (app, ports) => removeRateRoute(app, { ...ports, wakeBroadcaster }),
      defineIndexRoute,
      (app, ports) => computeIndexRoute(app, { ...ports, wakeBroadcaster }),
      removeIndexRoute,
    ],
  };
}
