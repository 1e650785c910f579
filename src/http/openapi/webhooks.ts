import Type, { type TSchema } from "typebox";

import type { EventType, Product } from "../../model/product.ts";
import { ping } from "../../model/ping.ts";
import { UtcDateTime } from "../../model/data-types.ts";

/**
 * What a product sends, one entry an event type, as OpenAPI's `webhooks` (spec 5.1: user_agent, event_header,
 * delivery_header, signature_header, content_type).
 */
export function webhooksOf(product: Product): Record<string, object> {
  const types = [...product.catalogue.filter((type) => type.raised), ping];
  return Object.fromEntries(types.map((type) => [type.name, { post: delivery(product, type) }]));
}

function delivery(product: Product, type: EventType): object {
  return {
    operationId: `deliver_${type.name}`,
    tags: ["Deliveries"],
    summary: type.name,
    description: type.description,
    security: [],
    parameters: deliveryHeaders(product, type),
    requestBody: { required: true, content: { "application/json": { schema: deliveryBody(type) } } },
    responses: {
      "2XX": { description: "Received: the delivery is done. The body is ignored." },
      default: {
        description: "Anything else, redirects as well, and no answer within 10 seconds: sent again later.",
      },
    },
  };
}

function deliveryHeaders({ headerTag }: Product, type: EventType): object[] {
  return [
    header("User-Agent", Type.Literal(`${headerTag}-Webhooks/1`), "Who sends it."),
    header(`X-${headerTag}-Event`, Type.Literal(type.name), "The event type."),
    header(`X-${headerTag}-Delivery`, Type.String({ format: "uuid" }), "The delivery's id, as in the body."),
    header(
      `X-${headerTag}-Signature`,
      Type.String({ pattern: "^sha256=[0-9a-f]{64}$" }),
      "HMAC-SHA256 over the raw body with the endpoint's secret as the key, in hex.",
    ),
  ];
}

function header(name: string, schema: TSchema, description: string): object {
  return { name, in: "header", required: true, description, schema };
}

function deliveryBody(type: EventType): TSchema {
  return Type.Object(
    {
      id: Type.String({ format: "uuid", description: "the same on every attempt: deduplicate on it" }),
      type: Type.Literal(type.name),
      occurred_at: UtcDateTime,
      data: type.data,
    },
    { additionalProperties: false },
  );
}
