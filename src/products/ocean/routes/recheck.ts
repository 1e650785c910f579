import Type from "typebox";

import { readUuid } from "../../../model/uuid.ts";
import { flatAnswerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answerFlat, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { ContainerPath, NO_CONTAINER } from "./shape.ts";
import type { OceanTracking } from "./tracking.ts";

/** `POST /v1/containers/{id}/recheck` (spec 4.2) */
export function recheckRoute(app: Listener, { product }: ProductContext, tracking: OceanTracking): void {
  const schema = {
    operationId: "recheckContainer",
    tags: ["Containers"],
    summary: "Ask the carrier now",
    params: ContainerPath,
    response: {
      200: flatAnswerSchema(product, { queued: Type.Boolean() }),
      ...refusalSchemas(product, ["NOT_FOUND"]),
    },
  };

  app.post("/v1/containers/:id/recheck", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    const queued = id !== null && (await tracking.recheck(cell, account.id, id));
    return queued ? answerFlat(reply, product, 200, { queued }) : refuse(reply, product, NO_CONTAINER);
  });
}
