import Type from "typebox";

import type { Sample } from "../../engine/engine.ts";
import { subscribesTo } from "../../model/endpoint.ts";
import { ping } from "../../model/ping.ts";
import type { Product } from "../../model/product.ts";
import { readUuid } from "../../model/uuid.ts";
import { readEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { requireEntitlement } from "../entitlement.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { delivery } from "./delivery.ts";
import { EndpointPath, NO_ENDPOINT, scopeOf } from "./endpoint.ts";

const TestBody = Type.Object({
  event_type: Type.Optional(
    Type.String({
      description:
        "a sample of this type, which the endpoint subscribes to, with data.sample: true; without it, a ping",
    }),
  ),
});

/** `POST /v1/webhooks/{id}/test` (spec 4.1: test; 6.1: ping; 2.1: event_types): a ping, or a sample of an event type. */
export function testRoute(app: Listener, context: ProductContext): void {
  const { product, database, engine } = context;
  const schema = {
    operationId: "testEndpoint",
    tags: ["Endpoints"],
    summary: "Queue a ping, or a sample of an event type",
    description:
      "Sent to this endpoint alone, and retried like any delivery. A ping needs no subscription; a sample does.",
    params: EndpointPath,
    // Without one: the validator is given null.
    body: Type.Union([TestBody, Type.Null()]),
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
    if (endpoint === null) return refuse(reply, product, NO_ENDPOINT);
    const sample = sampleOf(product, request.body?.event_type);
    if (sample === null) {
      const names = sampledTypes(product).map(({ name }) => name);
      const message = `body.event_type must be ping or one of ${names.join(", ")}`;
      return refuse(reply, product, { code: "INVALID_REQUEST", message });
    }
    if (sample !== undefined && !subscribesTo(endpoint, sample.type)) {
      const message = `the endpoint does not subscribe to ${sample.type}; send one of its event_types, or change them`;
      return refuse(reply, product, { code: "INVALID_REQUEST", message });
    }
    const queued = await engine.ping(cell, owner.accountId, endpoint.id, sample);
    if (queued === "missing") return refuse(reply, product, NO_ENDPOINT);
    if (queued === "inactive") {
      const message = "the endpoint is not active; set active to true first";
      return refuse(reply, product, { code: "ENDPOINT_DISABLED", message });
    }
    return answer(reply, product, 202, delivery.view(queued));
  });
}

/** Undefined: a ping; null: the product raises no such type. */
export function sampleOf(product: Product, name: string | undefined): Sample | undefined | null {
  if (name === undefined || name === ping.name) return undefined;
  const type = sampledTypes(product).find((one) => one.name === name);
  return type === undefined ? null : { type: name, data: JSON.stringify({ ...type.example, sample: true }) };
}

function sampledTypes({ catalogue }: Product) {
  return catalogue.filter(({ raised }) => raised);
}
