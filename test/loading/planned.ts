/** Makes plans as clients see them. */
import assert from "node:assert/strict";

import type { LoadRequest } from "../../src/products/loading/request/cargo.ts";
import { planLoad } from "../../src/products/loading/planning/load-plan.ts";
import { planDetail, planSummary } from "../../src/products/loading/plan/plan-view.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { requestView } from "../../src/products/loading/request/request-view.ts";
import { errorsOfPlan, type SummarizedPlan } from "./plan-errors.ts";

export const STEPS = 100_000;

export function read(sent: SentRequest): LoadRequest {
  const found = readLoadRequest(sent);
  if (found.kind === "invalid") throw new Error(found.message);
  return found.request;
}

export function planned(sent: SentRequest, steps = STEPS): SummarizedPlan {
  const request = read(sent);
  const plan = planLoad(request, steps);
  return { request: requestView(request), ...planDetail(request, plan), summary: planSummary(request, plan) };
}

/** The plan, which has nothing wrong. */
export function loaded(sent: SentRequest): SummarizedPlan {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan;
}

export const PALLET: SentCargo = {
  id: "pallet",
  length_mm: 1_200,
  width_mm: 800,
  height_mm: 1_000,
  weight_kg: 400,
  count: 1,
};
