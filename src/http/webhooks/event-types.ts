import Type from "typebox";

import { UtcDateTime } from "../../model/data-types.ts";
import { ping } from "../../model/ping.ts";
import type { EventType, Product } from "../../model/product.ts";
import { answersOf } from "../answer-schema.ts";
import { answer } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { resource, type Fields } from "../resource.ts";

/** The body of a delivery of that type (spec 2.3: four_keys). */
export function bodySchema({ name, data }: EventType) {
  return Type.Object(
    {
      id: Type.String({ format: "uuid", description: "the same on every attempt: deduplicate on it" }),
      type: Type.Literal(name),
      occurred_at: UtcDateTime,
      data,
    },
    { additionalProperties: false },
  );
}

export function bodyExample({ name, example }: EventType) {
  return {
    id: "01a1fc9f-9e48-73e0-b3a1-06c2d680d67c",
    type: name,
    occurred_at: "2026-11-21T05:41:21.608Z",
    data: example,
  };
}

/** What the product sends or will send, and the ping. */
export function deliveredTypes({ catalogue }: Product): readonly EventType[] {
  return [...catalogue, ping];
}

/** Of the query of a list. A name that the product does not have finds nothing: it never errs (spec 7). */
export function typeFilter(product: Product) {
  const names = deliveredTypes(product).map(({ name }) => name);
  return Type.Optional(Type.String({ description: `one of ${names.join(", ")}; another finds nothing` }));
}

const eventType = resource("EventType", {
  name: [Type.String(), ({ name }) => name],
  description: [Type.String(), ({ description }) => description],
  subscribable: [
    Type.Boolean({ description: "false: only an empty subscription receives it, or a test" }),
    ({ subscribable }) => subscribable,
  ],
  raised: [Type.Boolean({ description: "false: reserved, and never sent" }), ({ raised }) => raised],
  schema: [
    Type.Object({}, { additionalProperties: true, description: "a JSON Schema (2020-12) of the body" }),
    (type) => bodySchema(type),
  ],
  example: [
    Type.Object({}, { additionalProperties: true, description: "a body" }),
    (type) => bodyExample(type),
  ],
} satisfies Fields<EventType>);

/** `GET /v1/event-types` (spec 6.2) */
export function listEventTypesRoute(app: Listener, { product }: ProductContext): void {
  const schema = {
    operationId: "listEventTypes",
    tags: ["Deliveries"],
    summary: "List the event types",
    description: "Each with a JSON Schema of its deliveries' bodies, and an example.",
    response: answersOf(product, Type.Array(eventType.schema), []),
  };
  const views = deliveredTypes(product).map(eventType.view);

  app.get("/v1/event-types", { schema }, async (_request, reply) => answer(reply, product, 200, views));
}
