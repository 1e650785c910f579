import Type from "typebox";

import { readUuid } from "../../../model/uuid.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { LoadPlanning } from "./planning.ts";
import { NO_PLAN, PlanPath } from "./plan-schema.ts";

const Removed = Type.Object({ id: Type.String({ format: "uuid" }), deleted: Type.Literal(true) });

/** `DELETE /v1/plans/{id}`, which raises nothing and needs no more than a key */
export function removePlanRoute(app: Listener, { product }: ProductContext, planning: LoadPlanning): void {
  const schema = {
    operationId: "deletePlan",
    tags: ["Plans"],
    summary: "Delete a plan",
    description: "Events that were raised of it are delivered still.",
    params: PlanPath,
    response: { 200: answerSchema(product, Removed), ...refusalSchemas(product, ["NOT_FOUND"]) },
  };

  app.delete("/v1/plans/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    if (id === null || !(await planning.remove(cell, account.id, id))) return refuse(reply, product, NO_PLAN);
    return answer(reply, product, 200, { id, deleted: true });
  });
}
