import Type from "typebox";

import type { Refusal } from "../../../http/refusal.ts";
import type { PlannerBusy } from "../planning/planner.ts";

export const PlanPath = Type.Object({ id: Type.String({ description: "the plan's id, a UUID" }) });

export const NO_PLAN: Refusal = { code: "NOT_FOUND", message: "you have no plan of that id" };

/** Plans take a second or two each. */
const BUSY_RETRY_S = 5;

const BUSY_MESSAGES: Readonly<Record<PlannerBusy["reason"], string>> = {
  account_limit: "some of your plans are being made already; wait for one of them",
  queue_full: "too many plans are being made at the moment; try again",
  timeout: "your plan took too long; try again later, or with fewer kinds of cargo",
  stopping: "the service is stopping; try again",
};

export function plannerBusyRefusal({ reason }: PlannerBusy): Refusal {
  return {
    code: reason === "account_limit" ? "RATE_LIMITED" : "UNAVAILABLE",
    message: BUSY_MESSAGES[reason],
    headers: { "retry-after": String(BUSY_RETRY_S) },
  };
}
