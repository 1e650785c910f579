/** The thread on which loads are planned, one after the other, so that nothing else in the process waits. */
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

import { planDetail, planSummary } from "../plan/plan-view.ts";
import type { PlanSummary } from "../plan/plan-schema.ts";
import type { LoadRequest } from "../request/cargo.ts";
import { planLoad } from "./load-plan.ts";

/** `detail` is a `PlanDetail` as JSON: a text passes between threads at no cost. */
export type ComputedPlan = { readonly summary: PlanSummary; readonly detail: string };

/** Above the process: if processors are short, deliveries and requests go first. */
const NICENESS = 5;
const NICENESS_MAX = 19;

// Only Linux sets the priority of the calling thread; elsewhere it would be the whole process.
if (process.platform === "linux") setPriority(Math.min(NICENESS_MAX, getPriority() + NICENESS));

parentPort?.on("message", (request: LoadRequest) => {
  const plan = planLoad(request);
  const computed: ComputedPlan = {
    summary: planSummary(request, plan),
    detail: JSON.stringify(planDetail(request, plan)),
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
  parentPort?.postMessage(computed);
});
