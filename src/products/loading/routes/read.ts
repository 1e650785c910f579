import { readUuid } from "../../../model/uuid.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { LoadPlanning } from "./planning.ts";
import { NO_PLAN, PlanPath, PlanSchema } from "./plan-schema.ts";

/** `GET /v1/plans/{id}`, which needs no more than a key, as reading endpoints does */
export function readPlanRoute(app: Listener, { product }: ProductContext, planning: LoadPlanning): void {
  const schema = {
    operationId: "readPlan",
    tags: ["Plans"],
    summary: "Read a plan, with the place of every piece",
    params: PlanPath,
    response: { 200: answerSchema(product, PlanSchema), ...refusalSchemas(product, ["NOT_FOUND"]) },
  };

  app.get("/v1/plans/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    const plan = id === null ? null : await planning.read(cell, account.id, id);
    if (plan === null) return refuse(reply, product, NO_PLAN);
    return answer(reply, product, 200, plan);
  });
}
