import Type from "typebox";

import { SHIPMENT_STATUSES } from "../tracking/shipment-filter.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse, versionOf } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { CURSOR_ERROR, PageQuery, readPage, writeCursor } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { ContainerSchema } from "./shape.ts";
import type { OceanTracking } from "./tracking.ts";
import { inVersion } from "./versions.ts";

const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(Type.Enum([...SHIPMENT_STATUSES], { description: "only those of this status" })),
    carrier: Type.Optional(
      Type.String({
        description: "only those of the carrier with this SCAC: the one found, else the one you named",
      }),
    ),
    reference: Type.Optional(
      Type.String({ description: "only the one with this reference, in any usual way of writing it" }),
    ),
  },
  // A filter that is misspelt would show what nobody asked for.
  { additionalProperties: false, description: "there are limit, cursor, status, carrier and reference" },
);

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
    description: "Newest first, of those that all filters let through.",
    querystring: ListQuery,
    response: {
      200: answerSchema(product, Type.Array(ContainerSchema), "page"),
      ...refusalSchemas(product, ["INVALID_REQUEST"]),
    },
  };

  app.get("/v1/containers", { schema }, async (request, reply) => {
    const wanted = readPage(request.query);
    if (wanted === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
    const { account, cell } = callerOf(request);
    const { status, carrier, reference } = request.query;
    const listed = await tracking.list(cell, account.id, { ...wanted, status, carrier, reference });
    if (listed.kind === "invalid") {
      const message = `query.${listed.name} ${listed.message}`;
      return refuse(reply, product, { code: "INVALID_REQUEST", message });
    }
    const nextCursor = listed.nextAfterId === null ? undefined : writeCursor(listed.nextAfterId);
    const shown = inVersion(listed.shipments, versionOf(request, product));
    return answer(reply, product, 200, shown, nextCursor);
  });
}
