import { PLANS_MAX } from "../plans.ts";
import { readLoadRequest } from "../read-request.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { LoadPlanning } from "./planning.ts";
import { PLAN_BODY_BYTES_MAX, PlanRequestSchema } from "./request-schema.ts";
import { plannerBusyRefusal, PlanSchema } from "./plan-schema.ts";

/** `POST /v1/plans`: 201 with the plan, which raises `plan_created` */
export function createPlanRoute(app: Listener, context: ProductContext, planning: LoadPlanning): void {
  const { product } = context;
  const schema = {
    operationId: "createPlan",
    tags: ["Plans"],
    summary: "Plan a load",
    description:
      "Which containers take what, where each piece lies, and what has no place. Takes some seconds.",
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
    const created = await planning.create(cell, account.id, read.request);
    if (created.kind === "busy") return refuse(reply, product, plannerBusyRefusal(created));
    if (created.kind === "limit") {
      const message = `you have ${PLANS_MAX} plans already; delete some first`;
      return refuse(reply, product, { code: "PLAN_LIMIT", message });
    }
    return answer(reply, product, 201, created.plan);
  });
}
