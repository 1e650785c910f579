import Type from "typebox";

import { readUuid } from "../../../model/uuid.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { ContainerPath, NO_CONTAINER } from "./shape.ts";
import type { OceanTracking } from "./tracking.ts";

const Stopped = Type.Object({ id: Type.String({ format: "uuid" }), deleted: Type.Literal(true) });

/** `DELETE /v1/containers/{id}`: nothing is raised of it from the answer on */
export function removeContainerRoute(
  app: Listener,
  { product }: ProductContext,
  tracking: OceanTracking,
): void {
  const schema = {
    operationId: "stopTracking",
    tags: ["Containers"],
    summary: "Stop tracking a container",
    description: "Events that were raised are delivered still. The same reference may be tracked anew.",
    params: ContainerPath,
    response: { 200: answerSchema(product, Stopped), ...refusalSchemas(product, ["NOT_FOUND"]) },
  };

  app.delete("/v1/containers/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    if (id === null || !(await tracking.stop(cell, account.id, id))) {
      return refuse(reply, product, NO_CONTAINER);
    }
    return answer(reply, product, 200, { id, deleted: true });
  });
}
