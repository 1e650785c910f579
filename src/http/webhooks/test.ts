import { readUuid } from "../../model/uuid.ts";
import { readEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { requireEntitlement } from "../entitlement.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { NO_ENDPOINT } from "./not-found.ts";
import { deliveryAnswer, DeliveryRecordSchema, EndpointPath } from "./shape.ts";

/** `POST /v1/webhooks/{id}/test` (spec 4.1, 6.1) */
export function testRoute(app: Listener, context: ProductContext): void {
  const { product, database, engine } = context;
  const schema = {
    operationId: "testEndpoint",
    tags: ["Endpoints"],
    summary: "Queue a ping",
    description: "Sent to this endpoint alone, whatever its subscription, and retried like any delivery.",
    params: EndpointPath,
    response: {
      202: answerSchema(product, DeliveryRecordSchema),
      ...refusalSchemas(product, ["ENTITLEMENT_REQUIRED", "NOT_FOUND", "ENDPOINT_DISABLED"]),
    },
  };

  const options = { schema, onRequest: requireEntitlement(context) };
  app.post("/v1/webhooks/:id/test", options, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const owner = { accountId: account.id, product: product.tag };
    const id = readUuid(request.params.id);
    const endpoint = id === null ? null : await readEndpoint(database, cell, owner, id);
    const delivery = endpoint === null ? "missing" : await engine.ping(cell, account.id, endpoint.id);
    if (delivery === "missing") return refuse(reply, product, NO_ENDPOINT);
    if (delivery === "inactive") {
      return refuse(reply, product, {
        code: "ENDPOINT_DISABLED",
        message: "the endpoint is not active; set active to true first",
      });
    }
    return answer(reply, product, 202, deliveryAnswer(delivery));
  });
}
