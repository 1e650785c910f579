import Type from "typebox";

import { deliverySchema } from "../model/delivery-schema.ts";
import type { Listener } from "./listener.ts";
import type { ProductContext } from "./ports.ts";
import { publicDocumentRoute } from "./public-document.ts";

/** `GET /schemas/webhook-delivery.json` (spec 9: delivery_schema) */
export function deliverySchemaRoute(app: Listener, context: ProductContext): void {
  const text = JSON.stringify(deliverySchema(context.product), null, 2);
  publicDocumentRoute(app, context, {
    path: "/schemas/webhook-delivery.json",
    operationId: "readDeliverySchema",
    summary: "The JSON Schema of every delivery",
    description:
      "A JSON Schema (2020-12) that validates the body of every delivery; type chooses the shape of data.",
    mediaType: "application/schema+json",
    schema: Type.Object({}, { additionalProperties: true }),
    text: () => text,
  });
}
