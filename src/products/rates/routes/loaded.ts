import Type from "typebox";

import { answersOf } from "../../../http/answer-schema.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { pageOf, PageQuery } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { loadedRateView } from "../lanes/lane-view.ts";
import { LoadedRateSchema } from "../rate-schema.ts";
import { laneRateLoaded } from "../store/reading/lane-rates.sql.ts";

/** `GET /v1/rates` */
export function loadedRatesRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells } = context;
  const schema = {
    operationId: "listLoadedRates",
    tags: ["Lanes"],
    summary: "List rates as they were loaded",
    description: "Of all lanes, the last loaded first, each with what the rate before it came to.",
    querystring: PageQuery,
    response: answersOf(product, Type.Array(LoadedRateSchema), ["ENTITLEMENT_REQUIRED"], "page"),
  };

  const preHandler = requireEntitlement(context);
  app.get("/v1/rates", { schema, preHandler }, async (request, reply) => {
    const cell = productCells.of("rates");
    const { items, ...next } = await pageOf(request.query, (page) => laneRateLoaded(database, cell, page));
    return answer(reply, product, 200, items.map(loadedRateView), next);
  });
}
