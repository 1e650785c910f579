import type { ProductRoutes } from "../../../http/product.ts";
import type { PlanPorts } from "../plan/plans.ts";
import { changePlanRoute, createPlanRoute } from "./make-plans.ts";
import { listPlansRoute, readPlanRoute, removePlanRoute } from "./read-plans.ts";

/** The routes that load planning has besides the webhooks. */
export function planRoutes(ports: Pick<PlanPorts, "planner" | "raiseWithin">): ProductRoutes {
  const reading = [listPlansRoute, readPlanRoute];
  return {
    keyed: [
      (app, context) => createPlanRoute(app, { ...context, ...ports }),
      ...reading,
      (app, context) => changePlanRoute(app, { ...context, ...ports }),
      removePlanRoute,
    ],
    open: [],
    reading,
  };
}
