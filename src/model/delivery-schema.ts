/**
 * One JSON Schema (2020-12) for every delivery of a product: `type` chooses the shape of `data` (spec 2.3:
 * data; 9: delivery_schema). It is made from the schemas by which events are checked when they are raised.
 */
import Type, { type TSchema } from "typebox";

import type { EventType, Product } from "./product.ts";
import { ping } from "./ping.ts";
import { UtcDateTime } from "./data-types.ts";

/** The schema as plain JSON. */
export function deliverySchema(product: Product): object {
  const types = [...product.catalogue.filter((type) => type.raised), ping];
  const shapes = new Map<TSchema, EventType[]>();
  for (const type of types) shapes.set(type.data, [...(shapes.get(type.data) ?? []), type]);
  const named = [...shapes].map(([data, sharing]) => ({ name: nameOf(data, sharing), data, sharing }));
  return plainJson({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Webhook delivery: ${product.title}`,
    description: "The body of every delivery; type says which shape data has.",
    type: "object",
    required: ["id", "type", "occurred_at", "data"],
    additionalProperties: false,
    properties: {
      id: Type.String({
        format: "uuid",
        pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        description: "the same on every attempt: deduplicate on it",
      }),
      type: { enum: types.map(({ name }) => name), description: "what happened" },
      occurred_at: UtcDateTime,
      data: { type: "object" },
    },
    allOf: named.map(({ name, sharing }) => ({
      if: { properties: { type: { enum: sharing.map((type) => type.name) } }, required: ["type"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits it
      then: { properties: { data: { $ref: `#/$defs/${name}` } } },
    })),
    $defs: Object.fromEntries(named.map(({ name, data }) => [name, data])),
  });
}

function nameOf(data: TSchema, [first]: readonly EventType[]): string {
  const { title } = data as { readonly title?: string };
  return title ?? first!.name;
}

/** Without whatever the schema library keeps on its schemas. */
function plainJson(schema: object): object {
  return JSON.parse(JSON.stringify(schema)) as object;
}
