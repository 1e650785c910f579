/** Running load planning: the thread that makes plans, and the plans of clients. */
import type { ProductStart, RunningProduct } from "../manifest.ts";
import { planRoutes } from "./routes/routes.ts";
import type { LoadPlanning } from "./routes/planning.ts";
import { createPlanner } from "./planning/planner.ts";
import { changePlan, createPlan, deletePlan, listPlans, readPlan, type PlanPorts } from "./plan/plans.ts";

/** The thread begins with the first plan. */
export async function startLoading({
  database,
  engine,
  clock,
  random,
}: Pick<ProductStart, "database" | "engine" | "clock" | "random">): Promise<RunningProduct> {
  const planner = createPlanner(clock);
  const raiseWithin: PlanPorts["raiseWithin"] = (cell, change) => engine.raiseWithin(cell, change);
  const ports: PlanPorts = { database, raiseWithin, planner, clock, random };
  const planning: LoadPlanning = {
    create: (cell, accountId, request) => createPlan(ports, cell, accountId, request),
    change: (cell, accountId, id, request) => changePlan(ports, cell, accountId, id, request),
    read: (cell, accountId, id) => readPlan(ports, cell, accountId, id),
    list: (cell, accountId, page) => listPlans(ports, cell, accountId, page),
    remove: (cell, accountId, id) => deletePlan(ports, cell, accountId, id),
  };
  return { routes: planRoutes(planning), stop: planner.stop };
}
