import Type from "typebox";

import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { CURSOR_ERROR, pageOf, PageQuery, readPage } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { LoadPlanning } from "./planning.ts";
import { ListedPlanSchema } from "./plan-schema.ts";

/** `GET /v1/plans`, newest first, with the summary of each */
export function listPlansRoute(app: Listener, { product }: ProductContext, planning: LoadPlanning): void {
  const schema = {
    operationId: "listPlans",
    tags: ["Plans"],
    summary: "List plans",
    description: "Newest first, each with its summary.",
    querystring: PageQuery,
    response: {
      200: answerSchema(product, Type.Array(ListedPlanSchema), "page"),
      ...refusalSchemas(product, ["INVALID_REQUEST"]),
    },
  };

  app.get("/v1/plans", { schema }, async (request, reply) => {
    const wanted = readPage(request.query);
    if (wanted === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
    const { account, cell } = callerOf(request);
    const { items, nextCursor } = await pageOf(wanted, (page) => planning.list(cell, account.id, page));
    return answer(reply, product, 200, items, nextCursor);
  });
}
