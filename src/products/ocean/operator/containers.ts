/** Containers of all accounts, as clients see them, and why exactly the last poll had no answer. */
import Type from "typebox";

import {
  findShipment,
  notTracked,
  OwnerQuery,
  POLL_FAILURE,
  pollFailure,
  ReferencePath,
  stopRoute,
  type Trackable,
  trackedBy,
} from "../../../freight/tracking/shipments-of-all.ts";
import { listShipments } from "../../../freight/tracking/store/shipments-read.ts";
import { readReference } from "../../../freight/references/reference.ts";
import type { Listener } from "../../../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../../../http/page.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { homeOf, NO_ACCOUNT, OfAccount } from "../../../operator/accounts.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { notifyWork } from "../../../store/endpoints/invalidations.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { readRecord } from "../record/record.ts";
import { ContainerDetailSchema, ContainerSchema } from "../tracking/container-schema.ts";
import { readFilter, SHIPMENT_STATUSES } from "../tracking/shipment-filter.ts";
import { eventView, shipmentDetail, shipmentView } from "../tracking/shipment-view.ts";
import { recheck } from "../tracking/track.ts";
import { shipmentGet } from "../../../freight/tracking/store/shipments.sql.ts";

const CONTAINER: Trackable = {
  noun: "container",
  product: OCEAN_PRODUCT,
  example: "HRNU4000017",
  read: (typed) => readReference(typed, []),
};

export const findContainers = trackedBy(CONTAINER);

const Listed = Type.Object(
  { ...ContainerSchema.properties, ...POLL_FAILURE },
  { title: "OperatorContainer" },
);

const Detailed = Type.Object(
  {
    account_id: Type.String({ format: "uuid" }),
    ...ContainerDetailSchema.properties,
    ...POLL_FAILURE,
    early: Type.Array(ContainerDetailSchema.properties.events.items, {
      description: "what the carrier calls actual though it lies in the future",
    }),
  },
  { title: "OperatorContainerDetail" },
);

const ListQuery = Type.Object({
  ...PageQuery.properties,
  account_id: OfAccount,
  status: Type.Optional(Type.Enum([...SHIPMENT_STATUSES], { description: "only containers of this status" })),
  carrier: Type.Optional(Type.String({ description: "only containers of the carrier of this SCAC" })),
  reference: Type.Optional(Type.String({ description: "only the container with this reference" })),
});

const LIST: CommandView = {
  ...{ command: "containers list", rows: "containers", limit: 50 },
  about: "Newest first, and why the last poll had no answer.",
  example: "--account 01a1fc98-3684-702d-8add-9c7eb13bfa2f --status arriving",
  columns: {
    ID: "id",
    REFERENCE: "reference",
    CARRIER: "carrier",
    STATUS: "status",
    ETA: "eta",
    REFRESHED: "refreshed_at",
    FAILURE: "failure_text",
  },
};

/** `GET /v1/containers`: an account's, newest first */
const listRoute: OperatorRoute = (app: Listener, ports) => {
  const response = { 200: Type.Object({ containers: Type.Array(Listed), next_cursor: NextCursor }) };
  const schema = {
    summary: "List the containers that an account tracks",
    querystring: ListQuery,
    response,
    "x-cli": LIST,
  };
  app.get("/v1/containers", { schema }, async (request, reply) => {
    const read = readFilter(request.query, []);
    if (read.kind === "invalid") return refuse(reply, { code: "INVALID_REQUEST", message: read.message });
    const home = await homeOf(ports, request.query.account_id);
    if (home === null) return refuse(reply, NO_ACCOUNT);
    const owner = { product: OCEAN_PRODUCT, accountId: home.accountId };
    const { items, ...next } = await pageOf(request.query, (page) =>
      listShipments(ports.database, home.cell, owner, read.filter, page),
    );
    return { containers: items.map((one) => ({ ...shipmentView(one), ...pollFailure(one) })), ...next };
  });
};

const PLACE = "place.unlocode|place.name";

const SHOW: CommandView = {
  command: "containers show",
  example: CONTAINER.example,
  sections: [
    {
      facts: {
        Container: "id",
        Account: "account_id",
        Reference: "{reference} ({identifier_type|'type not known'})",
        Carrier: "carrier",
        Status: "{status}{awaiting_next_trip?, awaiting the next trip}",
        Route:
          "{origin.unlocode|origin.name}{transshipments? > {transshipments[{unlocode|name}]}} > {discharge.unlocode|discharge.name}",
        Destination: "destination.unlocode|destination.name",
        Vessel: "{vessel.name}{voyage? {voyage}}",
        ETA: "{eta}{eta_is_actual? (arrived)}",
        "Last free day": "free_time.last_free_day",
        Refreshed: "{refreshed_at}, next {next_refresh_at}",
        "Last failure": "failure_text",
        "Incomplete?": "{incomplete?the carrier cut its last answer}",
        "Called actual?": `{early[{name} {${PLACE}} {event_date_time}, in the future]}`,
      },
    },
    { of: "eta_history", columns: { "ESTIMATED ARRIVAL": "eta", SEEN: "seen_at" } },
    { of: "boxes", columns: { BOX: "equipment_reference", STATUS: "status", ETA: "eta" } },
    {
      of: "events",
      columns: {
        TIME: "event_date_time",
        "": "classifier",
        BOX: "equipment_reference",
        EVENT: "name",
        PLACE,
        VESSEL: "vessel.name",
      },
    },
  ],
};

/** `GET /v1/containers/{reference}` */
const showRoute: OperatorRoute = (app: Listener, ports) => {
  const schema = {
    summary: "Show all that is known of a container",
    params: ReferencePath,
    querystring: OwnerQuery,
    response: { 200: Detailed },
    "x-cli": SHOW,
  };
  app.get("/v1/containers/:reference", { schema }, async (request, reply) => {
    const found = await findShipment(ports, CONTAINER, request.params, request.query);
    if ("code" in found) return refuse(reply, found);
    const { id, accountId, cell } = found;
    const shipment = await shipmentGet(ports.database, cell, { product: OCEAN_PRODUCT, accountId, id });
    if (shipment === null) return refuse(reply, notTracked(CONTAINER, id));
    const boxes = shipment.record === null ? [] : readRecord(shipment.record).boxes;
    const early = boxes.flatMap((box) => box.early ?? []).map(eventView);
    const detail = shipmentDetail(shipment, ports.clock.nowMs());
    return { account_id: accountId, ...detail, ...pollFailure(shipment), early };
  });
};

/** `POST /v1/containers/{reference}/recheck`: polled before all others, by a node that polls */
const recheckRoute: OperatorRoute = (app: Listener, ports) => {
  const view = {
    ...{ command: "containers recheck", example: CONTAINER.example, text: "{id} is polled next." },
    about: "A node that polls must be running.",
  };
  const schema = {
    summary: "Have a container polled before all others",
    params: ReferencePath,
    querystring: OwnerQuery,
    "x-cli": view,
  };
  app.post("/v1/containers/:reference/recheck", { schema }, async (request, reply) => {
    const found = await findShipment(ports, CONTAINER, request.params, request.query);
    if ("code" in found) return refuse(reply, found);
    const { id, accountId, cell } = found;
    const queued = await recheck({ ...ports, wake: () => undefined }, cell, accountId, id);
    if (!queued) return refuse(reply, notTracked(CONTAINER, id));
    await notifyWork(ports.database, cell);
    return { id, queued };
  });
};

export const containerOperatorRoutes = [listRoute, showRoute, recheckRoute, stopRoute(CONTAINER)];
