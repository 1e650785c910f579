import type { ProductRoutes, Route } from "../../../http/product.ts";
import { changePlanRoute } from "./change.ts";
import { createPlanRoute } from "./create.ts";
import { listPlansRoute } from "./list.ts";
import type { LoadPlanning } from "./planning.ts";
import { readPlanRoute } from "./read.ts";
import { removePlanRoute } from "./remove.ts";

type PlanRoute = (...mounted: [...Parameters<Route>, LoadPlanning]) => void;

/** The routes that load planning has besides the webhooks. */
export function planRoutes(planning: LoadPlanning): ProductRoutes {
  const routes: readonly PlanRoute[] = [
    createPlanRoute,
    listPlansRoute,
    readPlanRoute,
    changePlanRoute,
    removePlanRoute,
  ];
  return { keyed: routes.map((route) => (app, context) => route(app, context, planning)), open: [] };
}
