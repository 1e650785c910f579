import Type from "typebox";

import { readUuid } from "../../model/uuid.ts";
import { listRecentDeliveries } from "../../store/deliveries/deliveries-read.ts";
import { listEndpoints, readEndpoint } from "../../store/endpoints/endpoints.ts";
import { answersOf } from "../answer-schema.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import { pageOf, PageQuery } from "../page.ts";
import type { ProductContext } from "../ports.ts";
import { withParking } from "./delivery.ts";
import { endpointDetail, EndpointPath, listedEndpoint, NO_ENDPOINT, scopeOf } from "./endpoint.ts";

/** (spec 8: recent_deliveries) */
const RECENT_DELIVERIES = 20;

/** `GET /v1/webhooks` (spec 4.1: list) */
export function listRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "listEndpoints",
    tags: ["Endpoints"],
    summary: "List endpoints with their health",
    description: "Newest first.",
    querystring: PageQuery,
    response: answersOf(product, Type.Array(listedEndpoint.schema), [], "page"),
  };

  app.get("/v1/webhooks", { schema }, async (request, reply) => {
    const { cell, owner } = scopeOf(request, product);
    const { items, ...next } = await pageOf(request.query, (page) =>
      listEndpoints(database, cell, owner, page),
    );
    return answer(reply, product, 200, items.map(listedEndpoint.view), next);
  });
}

/** `GET /v1/webhooks/{id}` (spec 4.1: detail, unknown_id) */
export function readRoute(app: Listener, { product, database, parkedMs }: ProductContext): void {
  const schema = {
    operationId: "readEndpoint",
    tags: ["Endpoints"],
    summary: `Read an endpoint and its ${RECENT_DELIVERIES} newest deliveries`,
    params: EndpointPath,
    response: answersOf(product, endpointDetail.schema, ["NOT_FOUND"]),
  };

  app.get("/v1/webhooks/:id", { schema }, async (request, reply) => {
    const { cell, owner } = scopeOf(request, product);
    const id = readUuid(request.params.id);
    const known = id === null ? null : await readEndpoint(database, cell, owner, id);
    if (known === null) return refuse(reply, product, NO_ENDPOINT);
    const { recent, health } = await listRecentDeliveries(database, cell, known.id, RECENT_DELIVERIES);
    const endpoint = { ...known, ...health };
    const until = recent.map((one) => withParking(one, endpoint.disabledAt, parkedMs));
    return answer(reply, product, 200, endpointDetail.view({ ...endpoint, recent: until }));
  });
}
