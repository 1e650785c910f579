/** Plans as clients are told of them, made on the spot. */
import type { LoadRequest } from "../../src/products/loading/cargo.ts";
import { planLoad } from "../../src/products/loading/load-plan.ts";
import { planDetail, planSummary } from "../../src/products/loading/plan-view.ts";
import {
  readLoadRequest,
  type SentCargo,
  type SentRequest,
} from "../../src/products/loading/read-request.ts";
import { requestView } from "../../src/products/loading/request-view.ts";
import type { ToldPlan } from "./plan-flaws.ts";

export const UNITS = 100_000;

export function read(sent: SentRequest): LoadRequest {
  const found = readLoadRequest(sent);
  if (found.kind === "invalid") throw new Error(found.message);
  return found.request;
}

export function planned(sent: SentRequest, units = UNITS): ToldPlan {
  const request = read(sent);
  const plan = planLoad(request, units);
  return { request: requestView(request), ...planDetail(request, plan), summary: planSummary(request, plan) };
}

export const PALLET: SentCargo = {
  id: "pallet",
  length_mm: 1_200,
  width_mm: 800,
  height_mm: 1_000,
  weight_kg: 400,
  count: 1,
};
