/** Freight rates at work: what time changes by itself. */
import type { ProductStart, RunningProduct } from "../manifest.ts";
import { createRateUpdater } from "./rate-updater.ts";
import { rateRoutes } from "./routes/routes.ts";

/** Looks what a day changes where this process polls; loading and reading work without it. */
export async function startRates(context: ProductStart): Promise<RunningProduct> {
  const updater = createRateUpdater(context);
  if (context.polls) updater.start();
  return {
    routes: rateRoutes(),
    stop: updater.stop,
  };
}
