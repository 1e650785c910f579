import { readUuid } from "../../../model/uuid.ts";
import { readLoadRequest } from "../read-request.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { LoadPlanning } from "./planning.ts";
import { PLAN_BODY_BYTES_MAX, PlanRequestSchema } from "./request-schema.ts";
import { plannerBusyRefusal, NO_PLAN, PlanPath, PlanSchema } from "./plan-schema.ts";

/** `PUT /v1/plans/{id}`: 200 with the plan made anew, which raises `plan_updated` unless nothing changed */
export function changePlanRoute(app: Listener, context: ProductContext, planning: LoadPlanning): void {
  const { product } = context;
  const schema = {
    operationId: "changePlan",
    tags: ["Plans"],
    summary: "Plan a load anew",
    description:
      "Replaces the name, the cargo and the containers. The request that the plan was made from changes nothing.",
    params: PlanPath,
    body: PlanRequestSchema,
    response: {
      200: answerSchema(product, PlanSchema),
      ...refusalSchemas(product, [
        "INVALID_REQUEST",
        "ENTITLEMENT_REQUIRED",
        "NOT_FOUND",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ]),
    },
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
    const changed = await planning.change(cell, account.id, id, read.request);
    if (changed.kind === "busy") return refuse(reply, product, plannerBusyRefusal(changed));
    if (changed.kind === "missing") return refuse(reply, product, NO_PLAN);
    return answer(reply, product, 200, changed.plan);
  });
}
