/** Running operations: what happened becomes events. */
import type { ProductStart, RunningProduct } from "../manifest.ts";
import { createReporter } from "./reporter.ts";

export async function startOperations(context: ProductStart): Promise<RunningProduct> {
  const reporter = createReporter(context);
  reporter.start();
  return { stop: reporter.stop };
}
