import { readUuid } from "../../model/uuid.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import type { LoadPlanning } from "./planning.ts";
import { NO_PLAN, PlanPath, PlanSchema } from "./shape.ts";

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
