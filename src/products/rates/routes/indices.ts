import Type from "typebox";

import { INDEX_ID, INDICES_MAX } from "../indices/definition.ts";
import {
  listIndicesWithLatest,
  basketView,
  indexView,
  indexValueViews,
  VALUES_FOR_CHANGES,
} from "../indices/view.ts";
import { rateIndexGet, rateIndexValueList } from "../store/rate-indices.sql.ts";
import { answersOf } from "../../../http/answer-schema.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { IndexDetailSchema, IndexPath, IndexSchema, NO_INDEX } from "../rate-schema.ts";

const VALUES_DEFAULT = 53;
const VALUES_MAX = 530;

/** `GET /v1/indices` */
export function listIndicesRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells } = context;
  const cell = productCells.of("rates");
  const schema = {
    operationId: "listIndices",
    tags: ["Indices"],
    summary: "List the indices with their latest values",
    description: `By id; there are ${INDICES_MAX} at most.`,
    response: answersOf(product, Type.Array(IndexSchema), ["ENTITLEMENT_REQUIRED"]),
  };

  const preHandler = requireEntitlement(context);
  app.get("/v1/indices", { schema, preHandler }, async (_request, reply) => {
    return answer(reply, product, 200, await listIndicesWithLatest(database, cell));
  });
}

const ValuesQuery = Type.Object({
  values: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: VALUES_MAX,
      default: VALUES_DEFAULT,
      description: `how many of the latest values, from 1 to ${VALUES_MAX}`,
    }),
  ),
});

/** `GET /v1/indices/{id}` */
export function readIndexRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells } = context;
  const cell = productCells.of("rates");
  const schema = {
    operationId: "readIndex",
    tags: ["Indices"],
    summary: "Read an index, its basket and its values",
    params: IndexPath,
    querystring: ValuesQuery,
    response: answersOf(product, IndexDetailSchema, ["ENTITLEMENT_REQUIRED", "NOT_FOUND"]),
  };

  const preHandler = requireEntitlement(context);
  app.get("/v1/indices/:id", { schema, preHandler }, async (request, reply) => {
    const { id } = request.params;
    const index = INDEX_ID.test(id) ? await rateIndexGet(database, cell, id) : null;
    if (index === null) return refuse(reply, product, NO_INDEX);
    const { values: count = VALUES_DEFAULT } = request.query;
    const values = await rateIndexValueList(database, cell, {
      indexId: id,
      upTo: null,
      limit: count + VALUES_FOR_CHANGES,
    });
    return answer(reply, product, 200, {
      ...indexView(index),
      lanes: basketView(index),
      values: indexValueViews(values, count),
    });
  });
}
