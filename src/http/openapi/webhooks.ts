import Type, { type TSchema } from "typebox";

import type { EventType, Product } from "../../model/product.ts";
import { bodyExample, bodySchema, deliveredTypes } from "../webhooks/event-types.ts";

/**
 * What a product sends, one entry an event type, as OpenAPI's `webhooks` (spec 5.1: user_agent, event_header,
 * delivery_header, signature_header, content_type).
 */
export function webhooksOf(product: Product): Record<string, object> {
  const types = deliveredTypes(product).filter((type) => type.raised);
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
    requestBody: {
      required: true,
      content: { "application/json": { schema: bodySchema(type), example: bodyExample(type) } },
    },
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
