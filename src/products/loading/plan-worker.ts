/** The thread on which plans are made, one after the other, so that nothing else in the process waits for them. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

import type { LoadRequest } from "./cargo.ts";
import { planLoad } from "./load-plan.ts";
import { planDetail, planSummary, type PlanSummary } from "./plan-view.ts";

/** A plan that has been made; `detail` is a `PlanDetail` as JSON, which passes between threads at no cost. */
export type ComputedPlan = { readonly summary: PlanSummary; readonly detail: string };

/** Where processors are short, what sends deliveries and answers requests goes first. */
const NICENESS = 5;

// Linux alone takes this for the calling thread; elsewhere it would be the whole process.
if (process.platform === "linux") setPriority(NICENESS);

parentPort?.on("message", (request: LoadRequest) => {
  const plan = planLoad(request);
  const made: ComputedPlan = {
    summary: planSummary(request, plan),
    detail: JSON.stringify(planDetail(request, plan)),
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
  parentPort?.postMessage(made);
});
