import Type from "typebox";

import { readQuery } from "../search/read-query.ts";
import { showSailing } from "../search/sailing-view.ts";
import { listSailings } from "../store/schedules-read.ts";
import { readReliabilityDay } from "../store/service-reliability.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { CURSOR_ERROR, pageFields, pageOf, readPage } from "../../../http/key-page.ts";
import { CarrierQuery, CancelledQuery } from "./query.ts";
import { SailingSchema } from "./schedule-schema.ts";
import { readWay, wayFields } from "./way.ts";
import { publicSchema } from "../../../http/answer-schema.ts";

const SailingsQuery = Type.Object({
  ...wayFields,
  carrier: CarrierQuery,
  include_cancelled: CancelledQuery,
  ...pageFields,
});

/** `GET /public/sailings` without a key (spec 5: public_routes) */
export function sailingsRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells, clock } = context;
  const schema = {
    operationId: "listSailings",
    summary: "List direct sailings from one port to another",
    description:
      "By departure: the calls of one vessel at both ports, on a service of one carrier. From the record of schedules, without polling carriers. Limited by address.",
    querystring: SailingsQuery,
    ...publicSchema(product, Type.Array(SailingSchema), [], "page"),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/sailings", { schema, onRequest }, async (request, reply) => {
    const page = readPage(request.query, ["ms", "uuid", "uuid"]);
    if (page === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
    const query = readQuery(request.query, (field) => ({
      ...readWay(field, clock.nowMs()),
      withCancelled: request.query.include_cancelled === "true",
    }));
    if (query.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: query.message });
    }
    const [ms, originId, destinationId] = (page.after ?? []) as [number, string, string];
    const after = page.after === null ? null : { ms, originId, destinationId };
    const cell = productCells.of("schedules");
    const day = await readReliabilityDay(database, cell);
    const found = await listSailings(database, cell, query.value, day, after, page.limit + 1);
    const { items, ...next } = pageOf(page, found, (sailing) => [
      sailing.departureAt.getTime(),
      sailing.originId,
      sailing.destinationId,
    ]);
    return answer(reply, product, 200, items.map(showSailing), next);
  });
}
