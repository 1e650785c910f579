import Type from "typebox";

import { flatAnswerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answerFlat, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { startedFields } from "./shape.ts";
import type { OceanTracking } from "./tracking.ts";

/** `POST /v1/containers` (spec 4.2): 201 for a new shipment, 200 for one that is tracked already */
export function startRoute(app: Listener, { product }: ProductContext, tracking: OceanTracking): void {
  const schema = {
    operationId: "startTracking",
    tags: ["Containers"],
    summary: "Start tracking",
    // A hint that is misspelt would be missed only when the wrong carrier has been asked for a day.
    body: Type.Object(
      {
        reference: Type.String({ description: "a container number, bill of lading or booking reference" }),
        carrier: Type.Optional(Type.String({ description: "the carrier's SCAC, if you know it" })),
      },
      { additionalProperties: false, description: "there are reference and carrier" },
    ),
    response: {
      200: flatAnswerSchema(product, startedFields),
      201: flatAnswerSchema(product, startedFields),
      ...refusalSchemas(product, ["INVALID_REQUEST", "INVALID_REFERENCE"]),
    },
  };

  app.post("/v1/containers", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const started = await tracking.start(cell, { ...request.body, accountId: account.id });
    if (started.kind === "refused") return refuse(reply, product, started);
    const { id, reference, carrier, status, created_at } = started.shipment;
    return answerFlat(reply, product, started.created ? 201 : 200, {
      id,
      reference,
      carrier,
      status,
      created_at,
    });
  });
}
