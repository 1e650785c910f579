import { readUuid } from "../../model/uuid.ts";
import { listRecentDeliveries } from "../../store/deliveries/deliveries-read.ts";
import { readEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { NO_ENDPOINT } from "./not-found.ts";
import { detailAnswer, DetailSchema, EndpointPath } from "./shape.ts";

/** Spec 8. */
const RECENT_DELIVERIES = 20;

/** `GET /v1/webhooks/{id}` (spec 4.1) */
export function readRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "readEndpoint",
    tags: ["Endpoints"],
    summary: `Read an endpoint and its ${RECENT_DELIVERIES} newest deliveries`,
    params: EndpointPath,
    response: { 200: answerSchema(product, DetailSchema), ...refusalSchemas(product, ["NOT_FOUND"]) },
  };

  app.get("/v1/webhooks/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const owner = { accountId: account.id, product: product.tag };
    const id = readUuid(request.params.id);
    const endpoint = id === null ? null : await readEndpoint(database, cell, owner, id);
    if (endpoint === null) return refuse(reply, product, NO_ENDPOINT);
    const recent = await listRecentDeliveries(database, cell, endpoint.id, RECENT_DELIVERIES);
    return answer(reply, product, 200, detailAnswer(endpoint, recent));
  });
}
