import Type from "typebox";

import { deliveryHeaders } from "../../engine/dispatch/attempt-request.ts";
import { signingKey } from "../../engine/secret.ts";
import { buildDeliveryBody } from "../../model/delivery-body.ts";
import { createSummaries } from "../../model/summaries.ts";
import type { JsonObject } from "../../model/json.ts";
import { wantedReference } from "../../model/references.ts";
import { readUuid } from "../../model/uuid.ts";
import {
  listAttempts,
  listDeliveries,
  readDelivery,
  searchDeliveries,
} from "../../store/deliveries/log-read.ts";
import { readEndpoint } from "../../store/endpoints/endpoints.ts";
import { answersOf } from "../answer-schema.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import {
  LOG_ORDER,
  logQuery,
  MANY_REFERENCES,
  OF_A_REFERENCE,
  readLogPage,
  referenceField,
} from "../log-page.ts";
import { cursorOf } from "../page.ts";
import type { ProductContext } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import {
  deliveryDetail,
  deliveryOfAccount,
  DeliveryStatus,
  loggedDelivery,
  withParking,
} from "./delivery.ts";
import { EndpointPath, NO_ENDPOINT, scopeOf } from "./endpoint.ts";
import { typeFilter } from "./event-types.ts";

/** `GET /v1/webhooks/{id}/deliveries` */
export function listDeliveriesRoute(app: Listener, { product, database, parkedMs }: ProductContext): void {
  const schema = {
    operationId: "listDeliveries",
    tags: ["Deliveries"],
    summary: "List an endpoint's deliveries",
    description: LOG_ORDER,
    params: EndpointPath,
    querystring: Type.Object({
      ...logQuery,
      status: Type.Optional(DeliveryStatus),
      event_type: typeFilter(product),
    }),
    response: answersOf(product, Type.Array(loggedDelivery.schema), ["NOT_FOUND"], "page"),
  };

  app.get("/v1/webhooks/:id/deliveries", { schema }, async (request, reply) => {
    const wanted = readLogPage(request.query);
    if (typeof wanted === "string")
      return refuse(reply, product, { code: "INVALID_REQUEST", message: wanted });
    const { cell, owner } = scopeOf(request, product);
    const id = readUuid(request.params.id);
    const endpoint = id === null ? null : await readEndpoint(database, cell, owner, id);
    if (endpoint === null) return refuse(reply, product, NO_ENDPOINT);
    const { status = null, event_type: type = null } = request.query;
    const { items, lastId } = await listDeliveries(database, cell, endpoint.id, { status, type }, wanted);
    const views = items.map((one) => loggedDelivery.view(withParking(one, endpoint.disabledAt, parkedMs)));
    return answer(reply, product, 200, views, cursorOf(lastId));
  });
}

/** `GET /v1/deliveries`: to all endpoints of the account */
export function searchDeliveriesRoute(app: Listener, { product, database, parkedMs }: ProductContext): void {
  const schema = {
    operationId: "searchDeliveries",
    tags: ["Deliveries"],
    summary: "List the deliveries to all your endpoints",
    description: `${LOG_ORDER} ${OF_A_REFERENCE}`,
    querystring: Type.Object({
      ...logQuery,
      ...referenceField,
      endpoint_id: Type.Optional(Type.String({ description: "to this endpoint alone" })),
      status: Type.Optional(DeliveryStatus),
      event_type: typeFilter(product),
    }),
    response: answersOf(product, Type.Array(deliveryOfAccount.schema), ["NOT_FOUND"], "page"),
  };

  app.get("/v1/deliveries", { schema }, async (request, reply) => {
    const wanted = readLogPage(request.query);
    if (typeof wanted === "string")
      return refuse(reply, product, { code: "INVALID_REQUEST", message: wanted });
    const reference = wantedReference(request.query.reference);
    const { cell, owner } = scopeOf(request, product);
    const { status = null, event_type: type = null, endpoint_id: endpoint } = request.query;
    const endpointId = readUuid(endpoint ?? "");
    const isThere = endpointId !== null && (await readEndpoint(database, cell, owner, endpointId)) !== null;
    if (endpoint !== undefined && !isThere) return refuse(reply, product, NO_ENDPOINT);
    const asked = { reference, endpointId, status, type };
    const page = await searchDeliveries(database, cell, owner, asked, wanted);
    if (page === "too_many")
      return refuse(reply, product, { code: "INVALID_REQUEST", message: MANY_REFERENCES });
    const views = page.items.map((one) => deliveryOfAccount.view(withParking(one, one.disabledAt, parkedMs)));
    return answer(reply, product, 200, views, cursorOf(page.lastId));
  });
}

const DeliveryPath = Type.Object({
  ...EndpointPath.properties,
  delivery_id: Type.String({ description: "the delivery's id, a UUID" }),
});

const NO_DELIVERY: Refusal = { code: "NOT_FOUND", message: "the endpoint has no delivery of that id" };

/** `GET /v1/webhooks/{id}/deliveries/{delivery_id}` */
export function readDeliveryRoute(app: Listener, context: ProductContext): void {
  const { product, database, parkedMs, masterKeys } = context;
  const schema = {
    operationId: "readDelivery",
    tags: ["Deliveries"],
    summary: "Read a delivery as it is sent",
    params: DeliveryPath,
    response: answersOf(product, deliveryDetail.schema, ["NOT_FOUND"]),
  };

  const summaryOf = createSummaries([product]);
  app.get("/v1/webhooks/:id/deliveries/:delivery_id", { schema }, async (request, reply) => {
    const { cell, owner } = scopeOf(request, product);
    const [id, deliveryId] = [readUuid(request.params.id), readUuid(request.params.delivery_id)];
    const endpoint = id === null ? null : await readEndpoint(database, cell, owner, id);
    if (endpoint === null) return refuse(reply, product, NO_ENDPOINT);
    const found = deliveryId === null ? null : await readDelivery(database, cell, endpoint.id, deliveryId);
    if (found === null) return refuse(reply, product, NO_DELIVERY);
    const { eventType: type, occurredAt, data, sealedSecretHash } = found;
    const body = buildDeliveryBody(found.id, type, occurredAt.getTime(), data);
    const key = signingKey(
      sealedSecretHash,
      { accountId: owner.accountId, endpointId: endpoint.id },
      masterKeys,
    );
    const headers = inPairs(
      deliveryHeaders(product.headerTag, { id: found.id, type }, Buffer.from(body), key),
    );
    const attempts = await listAttempts(database, cell, found);
    const summary = summaryOf(product.tag, type, JSON.parse(data) as JsonObject);
    const detail = { ...withParking(found, endpoint.disabledAt, parkedMs), attempts, headers, body, summary };
    return answer(reply, product, 200, deliveryDetail.view(detail));
  });
}

/** Names and values that are given in turn. */
function inPairs(headers: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : [])));
}
