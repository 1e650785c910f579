import Type from "typebox";

import { listEndpoints } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import { CURSOR_ERROR, pageOf, PageQuery, readPage } from "../page.ts";
import type { ProductContext } from "../ports.ts";
import { listedAnswer, ListedSchema } from "./shape.ts";

/** `GET /v1/webhooks` (spec 4.1), newest first */
export function listRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "listEndpoints",
    tags: ["Endpoints"],
    summary: "List endpoints with their health",
    description: "Newest first.",
    querystring: PageQuery,
    response: {
      200: answerSchema(product, Type.Array(ListedSchema), "page"),
      ...refusalSchemas(product, ["INVALID_REQUEST"]),
    },
  };

  app.get("/v1/webhooks", { schema }, async (request, reply) => {
    const wanted = readPage(request.query);
    if (wanted === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
    const { account, cell } = callerOf(request);
    const owner = { accountId: account.id, product: product.tag };
    const { items, nextCursor } = await pageOf(wanted, (page) => listEndpoints(database, cell, owner, page));
    return answer(reply, product, 200, items.map(listedAnswer), nextCursor);
  });
}
