import Type from "typebox";

import { readUuid } from "../../model/uuid.ts";
import { deleteEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { NO_ENDPOINT } from "./not-found.ts";
import { EndpointPath } from "./shape.ts";

const Removed = Type.Object({ id: Type.String({ format: "uuid" }), deleted: Type.Literal(true) });

/** `DELETE /v1/webhooks/{id}` (spec 4.1) */
export function removeRoute(app: Listener, { product, database, engine, clock }: ProductContext): void {
  const schema = {
    operationId: "removeEndpoint",
    tags: ["Endpoints"],
    summary: "Remove an endpoint and its history",
    params: EndpointPath,
    response: { 200: answerSchema(product, Removed), ...refusalSchemas(product, ["NOT_FOUND"]) },
  };

  app.delete("/v1/webhooks/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const owner = { accountId: account.id, product: product.tag };
    const id = readUuid(request.params.id);
    if (id === null || !(await deleteEndpoint(database, cell, owner, id, new Date(clock.nowMs())))) {
      return refuse(reply, product, NO_ENDPOINT);
    }
    await engine.endpointChanged(cell, account.id, id);
    return answer(reply, product, 200, { id, deleted: true });
  });
}
