/** The keyed container routes (spec 4.2). */
import Type from "typebox";

import { flatAnswerSchema, refusalSchemas, answersOf, publicSchema } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, answerFlat, refuse, versionOf } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { PageQuery, pageOf } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { Refusal } from "../../../http/refusal.ts";
import { readUuid } from "../../../model/uuid.ts";
import {
  ContainerDetailSchema,
  ContainerSchema,
  startedFields,
  PositionSchema,
  PublicContainerSchema,
} from "../tracking/container-schema.ts";
import { readFilter, SHIPMENT_STATUSES } from "../tracking/shipment-filter.ts";
import {
  getShipment,
  listPositions,
  ownerOf,
  recheck,
  startTracking,
  stopTracking,
  type ReadPorts,
  type TrackPorts,
} from "../tracking/track.ts";
import { billPrefixes } from "../sources/carriers.ts";
import { shipmentView } from "../tracking/shipment-view.ts";
import { inVersion } from "./versions.ts";
import { listShipments, MAP_BOUNDS } from "../../../freight/tracking/store/shipments-read.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { lookupContainer } from "../tracking/lookup.ts";
import { SCAC, SCAC_OR_EMPTY } from "../../../http/stated-rules.ts";

const ContainerPath = Type.Object({ id: Type.String({ description: "the container's id, a UUID" }) });

const NO_CONTAINER: Refusal = {
  code: "NOT_FOUND",
  message: "you track no container with that id; GET /v1/containers?reference= finds one by its number",
};

/** As sent, in any usual spelling. */
const REFERENCE = { minLength: 5, maxLength: 200 };
const CONTAINER_NUMBER = { minLength: 11, maxLength: 200 };

const other = (description: string) => Type.Optional(Type.String({ description, stated: REFERENCE }));

const OtherReferences = Type.Object(
  {
    container_id: other("the container's number"),
    bill_of_lading: other("a bill of lading of it"),
    booking: other("the booking of it"),
  },
  {
    additionalProperties: false,
    description:
      "what else it is known by, for carriers that can only be asked with two references; there are container_id, bill_of_lading and booking",
  },
);

/** `POST /v1/containers`: 201 if new, 200 if already tracked (spec 4.2: start_tracking, reference, carrier; 2.5: ok) */
export function startRoute(app: Listener, { product }: ProductContext, ports: TrackPorts): void {
  const schema = {
    operationId: "startTracking",
    tags: ["Containers"],
    summary: "Start tracking",
    // A misspelt hint would go unnoticed until the wrong carrier has been polled for a day.
    body: Type.Object(
      {
        reference: Type.String({
          description: "a container number, bill of lading or booking reference",
          stated: REFERENCE,
        }),
        carrier: Type.Optional(
          Type.String({ description: "the carrier's SCAC, if you know it", stated: SCAC_OR_EMPTY }),
        ),
        other_references: Type.Optional(OtherReferences),
      },
      { additionalProperties: false, description: "it takes reference, carrier and other_references" },
    ),
    response: {
      200: flatAnswerSchema(product, startedFields),
      201: flatAnswerSchema(product, startedFields),
      ...refusalSchemas(product, ["INVALID_REQUEST", "INVALID_REFERENCE", "REFERENCE_LIMIT"]),
    },
  };

  app.post("/v1/containers", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const started = await startTracking(ports, cell, { ...request.body, accountId: account.id });
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

const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(
    Type.Enum([...SHIPMENT_STATUSES], { description: "only containers with this status" }),
  ),
  carrier: Type.Optional(
    Type.String({
      description: "only containers of the carrier with this SCAC: the one found, else the one you named",
      stated: SCAC,
    }),
  ),
  reference: Type.Optional(
    Type.String({
      description: "only the container with this reference, in any usual spelling",
      stated: REFERENCE,
    }),
  ),
  attention: Type.Optional(
    Type.Enum(["true", "false"], { description: "true: only containers that somebody should act on" }),
  ),
});

/** `GET /v1/containers` (spec 4.2: list) */
export function listContainersRoute(
  app: Listener,
  { product }: ProductContext,
  { database, carriers }: TrackPorts,
): void {
  const schema = {
    operationId: "listContainers",
    tags: ["Containers"],
    summary: "List containers",
    description: "Newest first. A container is listed if it passes all filters.",
    querystring: ListQuery,
    response: answersOf(product, Type.Array(ContainerSchema), [], "page"),
  };

  app.get("/v1/containers", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const attention = request.query.attention === "true";
    const read = readFilter({ ...request.query, attention }, billPrefixes(carriers));
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: read.message });
    }
    const { items, ...next } = await pageOf(request.query, (page) =>
      listShipments(database, cell, ownerOf(account.id), read.filter, page),
    );
    return answer(reply, product, 200, inVersion(items.map(shipmentView), versionOf(request, product)), next);
  });
}

/** `GET /v1/containers/positions`: where they are, for a map */
export function positionsRoute(app: Listener, { product }: ProductContext, ports: ReadPorts): void {
  const schema = {
    operationId: "listContainerPositions",
    tags: ["Containers"],
    summary: "Where your containers are",
    description: `By vessel and place, the ${MAP_BOUNDS.positionsMax} with the most containers. Ended containers are nowhere.`,
    response: answersOf(product, Type.Array(PositionSchema), []),
  };

  app.get("/v1/containers/positions", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    return answer(reply, product, 200, await listPositions(ports, cell, account.id));
  });
}

/** `GET /v1/containers/{id}` (spec 4.2: detail) */
export function readContainerRoute(app: Listener, { product }: ProductContext, ports: ReadPorts): void {
  const schema = {
    operationId: "readContainer",
    tags: ["Containers"],
    summary: "Read a container and its timeline",
    params: ContainerPath,
    response: answersOf(product, ContainerDetailSchema, ["NOT_FOUND"]),
  };

  app.get("/v1/containers/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    const shipment = id === null ? null : await getShipment(ports, cell, account.id, id);
    if (shipment === null) return refuse(reply, product, NO_CONTAINER);
    return answer(reply, product, 200, inVersion(shipment, versionOf(request, product)));
  });
}

/** `POST /v1/containers/{id}/recheck` (spec 4.2: recheck) */
export function recheckRoute(app: Listener, { product }: ProductContext, ports: TrackPorts): void {
  const schema = {
    operationId: "recheckContainer",
    tags: ["Containers"],
    summary: "Poll the carrier now",
    params: ContainerPath,
    response: {
      200: flatAnswerSchema(product, { queued: Type.Boolean() }),
      ...refusalSchemas(product, ["NOT_FOUND"]),
    },
  };

  app.post("/v1/containers/:id/recheck", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    const queued = id !== null && (await recheck(ports, cell, account.id, id));
    return queued ? answerFlat(reply, product, 200, { queued }) : refuse(reply, product, NO_CONTAINER);
  });
}

const Stopped = Type.Object({ id: Type.String({ format: "uuid" }), deleted: Type.Literal(true) });

/** `DELETE /v1/containers/{id}`: no event of it is raised after the answer */
export function removeContainerRoute(app: Listener, { product }: ProductContext, ports: TrackPorts): void {
  const schema = {
    operationId: "stopTracking",
    tags: ["Containers"],
    summary: "Stop tracking a container",
    description: "Events already raised are still delivered. You can track the same reference again.",
    params: ContainerPath,
    response: answersOf(product, Stopped, ["NOT_FOUND"]),
  };

  app.delete("/v1/containers/:id", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const id = readUuid(request.params.id);
    if (id === null || !(await stopTracking(ports, cell, account.id, id))) {
      return refuse(reply, product, NO_CONTAINER);
    }
    return answer(reply, product, 200, { id, deleted: true });
  });
}

const ReferencePath = Type.Object({
  reference: Type.String({
    description: "a container number, in any usual spelling",
    stated: CONTAINER_NUMBER,
  }),
});

/** `GET /public/containers/{reference}` without a key (spec 4.2: public_lookup) */
export function lookupRoute(app: Listener, context: ProductContext, ports: TrackPorts): void {
  const { product } = context;
  const schema = {
    operationId: "lookUpContainer",
    summary: "Look up a container without a key",
    description: "Answers from containers that are already tracked; polls no carrier. Limited by address.",
    params: ReferencePath,
    ...publicSchema(product, PublicContainerSchema, ["INVALID_REFERENCE", "NOT_FOUND"]),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/containers/:reference", { schema, onRequest }, async (request, reply) => {
    const found = await lookupContainer(ports, request.params.reference);
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
