/** Running load planning: the threads that make plans, and the plans of clients. */
import type { Settings } from "../../runtime/settings.ts";
import { coreCount } from "../../runtime/worker-processes.ts";
import type { ProductStart, RunningProduct } from "../manifest.ts";
import { createPlanner, PLANNER_DEFAULTS } from "./planning/planner.ts";
import { planRoutes } from "./routes/routes.ts";
import type { LoadingSettings } from "./settings.ts";

export async function startLoading(
  { engine, clock }: Pick<ProductStart, "engine" | "clock">,
  { planThreads, place }: LoadingSettings & Pick<Settings, "place">,
): Promise<RunningProduct> {
  const ownCores = Math.ceil(coreCount() / (place?.of ?? 1));
  const threads = planThreads ?? Math.max(PLANNER_DEFAULTS.threads, ownCores);
  const planner = createPlanner(clock, { ...PLANNER_DEFAULTS, threads });
  return { routes: planRoutes({ planner, raiseWithin: engine.raiseWithin }), stop: planner.stop };
}
