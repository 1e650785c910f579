import Type from "typebox";

import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { answer, refuse, versionOf } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { PublicContainerSchema } from "../tracking/container-schema.ts";
import type { OceanTracking } from "./tracking.ts";
import { inVersion } from "./versions.ts";

const ReferencePath = Type.Object({
  reference: Type.String({ description: "a container number, in any usual spelling" }),
});

/** `GET /public/containers/{reference}` without a key (spec 4.2: public_lookup) */
export function lookupRoute(app: Listener, context: ProductContext, tracking: OceanTracking): void {
  const { product } = context;
  const schema = {
    operationId: "lookUpContainer",
    tags: ["Public"],
    summary: "Look up a container without a key",
    description: "Answers from containers that are already tracked; polls no carrier. Limited by address.",
    security: [],
    params: ReferencePath,
    response: {
      200: answerSchema(product, PublicContainerSchema),
      ...refusalSchemas(product, ["INVALID_REQUEST", "INVALID_REFERENCE", "NOT_FOUND"], "open"),
    },
  };

  const onRequest = limitByAddress(context);
  app.get("/public/containers/:reference", { schema, onRequest }, async (request, reply) => {
    const found = await tracking.lookup(request.params.reference);
    switch (found.kind) {
      case "found":
        return answer(reply, product, 200, inVersion(found.container, versionOf(request, product)));
      case "unknown":
        return refuse(reply, product, {
          code: "NOT_FOUND",
          message: "nothing is known of this container",
        });
      case "invalid":
        return refuse(reply, product, { code: "INVALID_REFERENCE", message: found.message });
    }
  });
}
