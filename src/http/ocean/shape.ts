/** A tracked shipment as clients see it (spec 2.5). */
import Type from "typebox";

import { nullable, UtcDateTime } from "../../products/shapes.ts";
import type { Refusal } from "../refusal.ts";

export const ContainerPath = Type.Object({ id: Type.String({ description: "the container's id, a UUID" }) });

export const NO_CONTAINER: Refusal = { code: "NOT_FOUND", message: "you track no container of that id" };

export const startedFields = {
  id: Type.String(),
  reference: Type.String(),
  carrier: Type.String({ description: "the carrier's SCAC; empty until one was found" }),
  status: Type.String({ description: "pending until a carrier has answered" }),
  created_at: UtcDateTime,
};

const viewFields = {
  ...startedFields,
  identifier_type: Type.Optional(nullable(Type.String({ description: "from version 2026-08-19 on" }))),
  eta: nullable(UtcDateTime),
};

export const ContainerSchema = Type.Object(viewFields, { title: "Container" });

export const ContainerDetailSchema = Type.Object(
  {
    ...viewFields,
    last_failure: nullable(Type.String({ description: "why the last look at the carrier had no answer" })),
    refreshed_at: nullable(UtcDateTime),
    events: Type.Array(Type.Object({}, { additionalProperties: true })),
  },
  { title: "ContainerDetail", additionalProperties: true },
);
