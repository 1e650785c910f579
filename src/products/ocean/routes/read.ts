import { readUuid } from "../../../model/uuid.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse, versionOf } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { ContainerDetailSchema, ContainerPath, NO_CONTAINER } from "./shape.ts";
import type { OceanTracking } from "./tracking.ts";
import { inVersion } from "./versions.ts";

/** `GET /v1/containers/{id}` (spec 4.2) */
export function readContainerRoute(
  app: Listener,
  { product }: ProductContext,
  tracking: OceanTracking,
): void {
  const schema = {
    operationId: "readContainer",
    tags: ["Containers"],
    summary: "Read a container and its timeline",
    params: ContainerPath,
    response: {
      200: answerSchema(product, ContainerDetailSchema),
      ...refusalSchemas(product, ["NOT_FOUND"]),
    },
  };

  app.get("/v1/containers/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    const shipment = id === null ? null : await tracking.read(cell, account.id, id);
    if (shipment === null) return refuse(reply, product, NO_CONTAINER);
    return answer(reply, product, 200, inVersion(shipment, versionOf(request, product)));
  });
}
