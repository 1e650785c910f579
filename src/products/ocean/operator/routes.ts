import type { OperatorRoutes } from "../../../operator/ports.ts";
import type { Carrier } from "../sources/carriers.ts";
import { containerOperatorRoutes } from "./containers.ts";
import { milestonesRoute } from "./milestones.ts";
import { positionsRoute } from "./positions.ts";
import { listTariffsRoute, loadTariffsRoute, removeTariffRoute } from "./tariffs.ts";

/** `carriers`: those of the carriers file; null: there is none. */
export function oceanOperatorRoutes(carriers: () => Promise<readonly Carrier[] | null>): OperatorRoutes {
  return {
    guarded: [
      ...[positionsRoute, milestonesRoute, ...containerOperatorRoutes],
      ...[loadTariffsRoute(carriers), listTariffsRoute, removeTariffRoute],
    ],
  };
}
