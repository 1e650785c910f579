import Type from "typebox";

import { findInCell } from "../../store/search/find.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { answer } from "../envelope.ts";
import { createFinder, cutFindings, explain, FINDING, FindQuery, foundFields, readWanted } from "../find.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { resource } from "../resource.ts";
import { clientsError } from "./delivery.ts";
import { scopeOf } from "./endpoint.ts";

const finding = resource("Finding", FINDING);

/** `GET /v1/find`: what the account tracks, its endpoints, deliveries and events, and event types of the product */
export function findRoute(app: Listener, { product, database }: ProductContext): void {
  const finder = createFinder([product]);
  const schema = {
    operationId: "find",
    tags: ["Deliveries"],
    summary: "Find what you track, your endpoints, deliveries, events and event types",
    querystring: FindQuery,
    response: {
      200: answerSchema(product, Type.Object({ ...foundFields, findings: Type.Array(finding.schema) })),
      ...refusalSchemas(product, []),
    },
  };
  app.get("/v1/find", { schema }, async (request, reply) => {
    const { cell, owner } = scopeOf(request, product);
    const wanted = readWanted(request.query.q);
    const found = await findInCell(database, cell, wanted, owner, [product]);
    const deliveries = found.deliveries.map((one) => ({ ...one, lastError: clientsError(one.lastError) }));
    const { findings, hasMore } = cutFindings([
      finder.shipments(found),
      finder.types(wanted),
      finder.endpoints(found),
      finder.events(found),
      finder.deliveries({ ...found, deliveries }),
    ]);
    return answer(reply, product, 200, {
      ...explain(wanted, "an endpoint's URL or description", found.hasTooMany),
      has_more: hasMore,
      findings: findings.map(finding.view),
    });
  });
}
