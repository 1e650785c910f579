/** `POST /v1/plans` raises `plan_created`, `PUT /v1/plans/{id}` `plan_updated`; both need the entitlement. */
import { answerSchema, refusalSchemas, answersOf } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { Refusal } from "../../../http/refusal.ts";
import { readUuid } from "../../../model/uuid.ts";
import { PlanSchema } from "../plan/plan-schema.ts";
import { changePlan, createPlan, PLANS_MAX, type PlanPorts } from "../plan/plans.ts";
import type { PlannerBusy } from "../planning/planner.ts";
import { readLoadRequest } from "../request/read-request.ts";
import { PLAN_BODY_BYTES_MAX, PlanRequestSchema } from "../request/request-schema.ts";
import { NO_PLAN, PlanPath } from "./read-plans.ts";

export function createPlanRoute(app: Listener, context: ProductContext & PlanPorts): void {
  const { product } = context;
  const schema = {
    operationId: "createPlan",
    tags: ["Plans"],
    summary: "Plan a load",
    description:
      "Which containers take what, where each piece lies, and what is left behind. Takes some seconds.",
    body: PlanRequestSchema,
    response: {
      201: answerSchema(product, PlanSchema),
      ...refusalSchemas(product, [
        "INVALID_REQUEST",
        "ENTITLEMENT_REQUIRED",
        "PLAN_LIMIT",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ]),
    },
  };
  const options = { schema, bodyLimit: PLAN_BODY_BYTES_MAX, onRequest: requireEntitlement(context) };

  app.post("/v1/plans", options, async (request, reply) => {
    const read = readLoadRequest(request.body);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: read.message });
    }
    const { account, cell } = callerOf(request);
    const created = await createPlan(context, cell, account.id, read.request);
    if (created.kind === "busy") return refuse(reply, product, plannerBusyRefusal(created));
    if (created.kind === "limit") {
      const message = `you have ${PLANS_MAX} plans already; delete some first`;
      return refuse(reply, product, { code: "PLAN_LIMIT", message });
    }
    return answer(reply, product, 201, created.plan);
  });
}

export function changePlanRoute(app: Listener, context: ProductContext & PlanPorts): void {
  const { product } = context;
  const schema = {
    operationId: "changePlan",
    tags: ["Plans"],
    summary: "Plan a load again",
    description:
      "Replaces the name, the cargo and the containers. The request that the plan was made from changes nothing.",
    params: PlanPath,
    body: PlanRequestSchema,
    response: answersOf(product, PlanSchema, [
      "ENTITLEMENT_REQUIRED",
      "NOT_FOUND",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
    ]),
  };
  const options = { schema, bodyLimit: PLAN_BODY_BYTES_MAX, onRequest: requireEntitlement(context) };

  app.put("/v1/plans/:id", options, async (request, reply) => {
    const read = readLoadRequest(request.body);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: read.message });
    }
    const id = readUuid(request.params.id);
    if (id === null) return refuse(reply, product, NO_PLAN);
    const { account, cell } = callerOf(request);
    const changed = await changePlan(context, cell, account.id, id, read.request);
    if (changed.kind === "busy") return refuse(reply, product, plannerBusyRefusal(changed));
    if (changed.kind === "missing") return refuse(reply, product, NO_PLAN);
    return answer(reply, product, 200, changed.plan);
  });
}

/** Plans take a second or two each. */
const BUSY_RETRY_S = 5;

const BUSY_MESSAGES: Readonly<Record<PlannerBusy["reason"], string>> = {
  account_limit: "some of your plans are being made already; wait for one of them",
  queue_full: "too many plans are being made at the moment; try again",
  timeout: "your plan took too long; try again later, or with fewer kinds of cargo",
  stopping: "the service is stopping; try again",
};

function plannerBusyRefusal({ reason }: PlannerBusy): Refusal {
  return {
    code: reason === "account_limit" ? "RATE_LIMITED" : "UNAVAILABLE",
    message: BUSY_MESSAGES[reason],
    headers: { "retry-after": String(BUSY_RETRY_S) },
  };
}
