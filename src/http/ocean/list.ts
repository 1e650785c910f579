import Type from "typebox";

import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { answer, refuse, versionOf } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import { CURSOR_FLAW, PageQuery, readPage, writeCursor } from "../page.ts";
import type { ProductContext } from "../ports.ts";
import { ContainerSchema } from "./shape.ts";
import type { OceanTracking } from "./tracking.ts";
import { inVersion } from "./versions.ts";

/** `GET /v1/containers` (spec 4.2), newest first */
export function listContainersRoute(
  app: Listener,
  { product }: ProductContext,
  tracking: OceanTracking,
): void {
  const schema = {
    operationId: "listContainers",
    tags: ["Containers"],
    summary: "List containers",
    description: "Newest first.",
    querystring: PageQuery,
    response: {
      200: answerSchema(product, Type.Array(ContainerSchema), "page"),
      ...refusalSchemas(product, ["INVALID_REQUEST"]),
    },
  };

  app.get("/v1/containers", { schema }, async (request, reply) => {
    const wanted = readPage(request.query);
    if (wanted === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_FLAW });
    const { account, cell } = callerOf(request);
    const { afterId, limit } = wanted;
    const page = await tracking.list(cell, account.id, { limit, ...(afterId === null ? {} : { afterId }) });
    const version = versionOf(request, product);
    const shown = page.shipments.map((shipment) => inVersion(shipment, version));
    const nextCursor = page.nextAfterId === null ? undefined : writeCursor(page.nextAfterId);
    return answer(reply, product, 200, shown, nextCursor);
  });
}
