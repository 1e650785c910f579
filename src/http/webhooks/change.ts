import Type from "typebox";

import { nullable } from "../../model/data-types.ts";
import { readUuid } from "../../model/uuid.ts";
import { deleteEndpoint, updateEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas, answersOf } from "../answer-schema.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import {
  changedEndpoint,
  endpointFields,
  EndpointPath,
  IGNORED_HEADER,
  nameIgnored,
  NO_ENDPOINT,
  scopeOf,
  subscriptionTo,
  urlProblem,
} from "./endpoint.ts";

/**
 * `PATCH /v1/webhooks/{id}` (spec 4.1: update, update_url, update_event_types, update_description, update_active;
 * 3.2: paused, resumed; 7: patch_url). It ignores a URL that Boathook cannot deliver to: read it back.
 */
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
      "Send what is to change; null means not sent. A url that Boathook cannot deliver to is ignored, not refused: read it back. Another field of a wrong type is refused, and nothing changes.",
    params: EndpointPath,
    body: Type.Object({
      url: Type.Optional(Type.Unknown({ description: "where deliveries go, from now on: an https URL" })),
      event_types: Type.Optional(nullable(fields.event_types)),
      description: Type.Optional(nullable(fields.description)),
      active: Type.Optional(nullable(Type.Boolean({ description: "true also sets failure_count to 0" }))),
    }),
    response: {
      200: { ...answerSchema(product, changedEndpoint.schema), headers: IGNORED_HEADER },
      ...refusalSchemas(product, ["NOT_FOUND"]),
    },
  };

  app.patch("/v1/webhooks/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    if (id === null) return refuse(reply, product, NO_ENDPOINT);
    const { cell, owner } = scopeOf(request, product);
    const { url, description, active } = request.body;
    const eventTypes = request.body.event_types ?? undefined;
    const change = {
      url: typeof url === "string" && urlProblem(url, checkUrl) === null ? url : undefined,
      eventTypes: eventTypes === undefined ? undefined : subscriptionTo(product, eventTypes),
      description: description ?? undefined,
      active: active ?? undefined,
    };
    const endpoint = await updateEndpoint(database, cell, owner, id, change, new Date(clock.nowMs()));
    if (endpoint === null) return refuse(reply, product, NO_ENDPOINT);
    await engine.endpointChanged(cell, owner.accountId, id);
    nameIgnored(reply, product, eventTypes);
    return answer(reply, product, 200, changedEndpoint.view(endpoint));
  });
}

const Removed = Type.Object({ id: Type.String({ format: "uuid" }), deleted: Type.Literal(true) });

/** `DELETE /v1/webhooks/{id}` (spec 4.1: delete) */
export function removeRoute(app: Listener, { product, database, engine, clock }: ProductContext): void {
  const schema = {
    operationId: "removeEndpoint",
    tags: ["Endpoints"],
    summary: "Remove an endpoint and its history",
    params: EndpointPath,
    response: answersOf(product, Removed, ["NOT_FOUND"]),
  };

  app.delete("/v1/webhooks/:id", { schema }, async (request, reply) => {
    const { cell, owner } = scopeOf(request, product);
    const id = readUuid(request.params.id);
    if (id === null || !(await deleteEndpoint(database, cell, owner, id, new Date(clock.nowMs())))) {
      return refuse(reply, product, NO_ENDPOINT);
    }
    await engine.endpointChanged(cell, owner.accountId, id);
    return answer(reply, product, 200, { id, deleted: true });
  });
}
