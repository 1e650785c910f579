import { readUuid } from "../../model/uuid.ts";
import { readEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { requireEntitlement } from "../entitlement.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { delivery, EndpointPath, NO_ENDPOINT, scopeOf } from "./endpoint.ts";

/** `POST /v1/webhooks/{id}/test` (spec 4.1: test; 6.1: ping) */
export function testRoute(app: Listener, context: ProductContext): void {
  const { product, database, engine } = context;
  const schema = {
    operationId: "testEndpoint",
    tags: ["Endpoints"],
    summary: "Queue a ping",
    description: "Sent to this endpoint alone, whatever its subscription, and retried like any delivery.",
    params: EndpointPath,
    response: {
      202: answerSchema(product, delivery.schema),
      ...refusalSchemas(product, ["ENTITLEMENT_REQUIRED", "NOT_FOUND", "ENDPOINT_DISABLED"]),
    },
  };

  const options = { schema, onRequest: requireEntitlement(context) };
  app.post("/v1/webhooks/:id/test", options, async (request, reply) => {
    const { cell, owner } = scopeOf(request, product);
    const id = readUuid(request.params.id);
    const endpoint = id === null ? null : await readEndpoint(database, cell, owner, id);
    const queued = endpoint === null ? "missing" : await engine.ping(cell, owner.accountId, endpoint.id);
    if (queued === "missing") return refuse(reply, product, NO_ENDPOINT);
    if (queued === "inactive") {
      const message = "the endpoint is not active; set active to true first";
      return refuse(reply, product, { code: "ENDPOINT_DISABLED", message });
    }
    return answer(reply, product, 202, delivery.view(queued));
  });
}
