/** Running load planning: the thread that makes plans, and the plans of clients. */
import type { ProductStart, RunningProduct } from "../manifest.ts";
import { planRoutes } from "./routes/routes.ts";
import { createPlanner } from "./planning/planner.ts";

export async function startLoading({
  engine,
  clock,
}: Pick<ProductStart, "engine" | "clock">): Promise<RunningProduct> {
  const planner = createPlanner(clock);
  return { routes: planRoutes({ planner, raiseWithin: engine.raiseWithin }), stop: planner.stop };
}
