/** Load planning at work: the thread on which plans are made, which begins with the first plan, and its routes. */
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
