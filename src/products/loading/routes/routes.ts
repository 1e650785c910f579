import type { ProductRoutes, Route } from "../../../http/product.ts";
import { changePlanRoute, createPlanRoute } from "./make-plans.ts";
import type { LoadPlanning } from "./planning.ts";
import { listPlansRoute, readPlanRoute, removePlanRoute } from "./read-plans.ts";

type PlanRoute = (...mounted: [...Parameters<Route>, LoadPlanning]) => void;

const ROUTES: readonly PlanRoute[] = [
  createPlanRoute,
  listPlansRoute,
  readPlanRoute,
  changePlanRoute,
  removePlanRoute,
];

/** The routes that load planning has besides the webhooks. */
export function planRoutes(planning: LoadPlanning): ProductRoutes {
  return { keyed: ROUTES.map((route) => (app, context) => route(app, context, planning)), open: [] };
}
