import Type from "typebox";

import { readUuid } from "../../model/uuid.ts";
import { updateEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { NO_ENDPOINT } from "./not-found.ts";
import { changedAnswer, ChangedSchema, endpointFields, EndpointPath } from "./shape.ts";
import { subscriptionTo } from "./subscription.ts";
import { checkEndpointUrl } from "./endpoint-url.ts";

/** `PATCH /v1/webhooks/{id}` (spec 4.1). A URL that cannot be delivered to is ignored: read it back. */
export function changeRoute(
  app: Listener,
  { product, database, engine, clock, checkUrl }: ProductContext,
): void {
  const fields = endpointFields(product);
  const schema = {
    operationId: "changeEndpoint",
    tags: ["Endpoints"],
    summary: "Change an endpoint",
    description:
      "Send what is to change. A url that is a string and not https is ignored, not refused: read it back. A field of another type is refused, and nothing changes.",
    params: EndpointPath,
    body: Type.Object({
      url: Type.Optional(fields.url),
      event_types: Type.Optional(fields.event_types),
      description: Type.Optional(fields.description),
      active: Type.Optional(Type.Boolean({ description: "true also sets failure_count to 0" })),
    }),
    response: {
      200: answerSchema(product, ChangedSchema),
      ...refusalSchemas(product, ["INVALID_REQUEST", "NOT_FOUND"]),
    },
  };

  app.patch("/v1/webhooks/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    if (id === null) return refuse(reply, product, NO_ENDPOINT);
    const { url, event_types: eventTypes, description, active } = request.body;
    const change = {
      url: url !== undefined && checkEndpointUrl(url, checkUrl).ok ? url : undefined,
      eventTypes: eventTypes && subscriptionTo(product, eventTypes),
      description,
      active,
    };
    const owner = { accountId: account.id, product: product.tag };
    const endpoint = await updateEndpoint(database, cell, owner, id, change, new Date(clock.nowMs()));
    if (endpoint === null) return refuse(reply, product, NO_ENDPOINT);
    await engine.endpointChanged(cell, account.id, id);
    return answer(reply, product, 200, changedAnswer(endpoint));
  });
}
