/** `GET /v1/plans`, `GET` and `DELETE /v1/plans/{id}`: like all reads and deletes, they need only a valid key. */
import Type from "typebox";

import { answersOf } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { pageOf, PageQuery } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { Refusal } from "../../../http/refusal.ts";
import { readUuid } from "../../../model/uuid.ts";
import { ListedPlanSchema, PlanSchema } from "../plan/plan-schema.ts";
import { listPlans, readPlan } from "../plan/plans.ts";
import { deletePlan } from "../store/plans.ts";

export const PlanPath = Type.Object({ id: Type.String({ description: "the plan's id, a UUID" }) });

export const NO_PLAN: Refusal = { code: "NOT_FOUND", message: "you have no plan of that id" };

export function listPlansRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "listPlans",
    tags: ["Plans"],
    summary: "List plans",
    description: "Newest first, each with its summary.",
    querystring: PageQuery,
    response: answersOf(product, Type.Array(ListedPlanSchema), [], "page"),
  };

  app.get("/v1/plans", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const { items, ...next } = await pageOf(request.query, (wanted) =>
      listPlans(database, cell, account.id, wanted),
    );
    return answer(reply, product, 200, items, next);
  });
}

export function readPlanRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "readPlan",
    tags: ["Plans"],
    summary: "Read a plan, with the place of every piece",
    params: PlanPath,
    response: answersOf(product, PlanSchema, ["NOT_FOUND"]),
  };

  app.get("/v1/plans/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    const plan = id === null ? null : await readPlan(database, cell, account.id, id);
    if (plan === null) return refuse(reply, product, NO_PLAN);
    return answer(reply, product, 200, plan);
  });
}

const Removed = Type.Object({ id: Type.String({ format: "uuid" }), deleted: Type.Literal(true) });

export function removePlanRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "deletePlan",
    tags: ["Plans"],
    summary: "Delete a plan",
    description: "Events already raised are still delivered.",
    params: PlanPath,
    response: answersOf(product, Removed, ["NOT_FOUND"]),
  };

  app.delete("/v1/plans/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    if (id === null || !(await deletePlan(database, cell, account.id, id)))
      return refuse(reply, product, NO_PLAN);
    return answer(reply, product, 200, { id, deleted: true });
  });
}
