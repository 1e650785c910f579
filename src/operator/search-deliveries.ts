import Type, { type Static } from "typebox";

import type { Listener } from "../http/listener.ts";
import {
  logQuery,
  LOG_ORDER,
  MANY_REFERENCES,
  OF_A_REFERENCE,
  readLogPage,
  referenceField,
} from "../http/log-page.ts";
import { cursorOf, NextCursor } from "../http/page.ts";
import { resource } from "../http/resource.ts";
import { withParking } from "../http/webhooks/delivery.ts";
import type { CommandView } from "../model/command-view.ts";
import { UtcDateTime } from "../model/data-types.ts";
import { buildDeliveryBody } from "../model/delivery-body.ts";
import type { LogPageRequest } from "../model/page-request.ts";
import { wantedReference, type WantedReference } from "../model/references.ts";
import { readUuid } from "../model/uuid.ts";
import { pageDeliveries } from "../store/deliveries/deliveries-read.ts";
import { deliveryBody } from "../store/deliveries/deliveries.sql.ts";
import { endpointListOfAccount } from "../store/endpoints/endpoints.sql.ts";
import { EVENTS_OF_DELIVERIES_MAX, pageDeliveriesByReference } from "../store/search/references.ts";
import type { DeliveryOfEvent } from "../store/search/events.ts";
import { withAccountNames } from "./account-names.ts";
import { IdPath, OPERATOR_DELIVERY } from "./endpoints.ts";
import { refuse } from "./errors.ts";
import { askCells, findInCells, UnavailableCells } from "./find-in-cells.ts";
import { pageOfCells, unlessTooMany } from "./page-of-cells.ts";
import type { OperatorPorts } from "./ports.ts";
import { goneOrNever } from "./pruned.ts";

const DeliveryQuery = Type.Object({
  ...logQuery,
  ...referenceField,
  account_id: Type.Optional(Type.String({ format: "uuid", description: "to all endpoints of this account" })),
  endpoint_id: Type.Optional(
    Type.String({ format: "uuid", description: "to this endpoint; not with an account" }),
  ),
  status: Type.Optional(Type.Enum(["pending", "delivered", "dead"])),
  type: Type.Optional(Type.String({ description: "the event's type" })),
});

const foundDelivery = resource("OperatorDelivery", OPERATOR_DELIVERY);

const LIST: CommandView = {
  ...{ command: "deliveries list", rows: "deliveries", limit: 20 },
  about: "With a key, the client reads their own.",
  example: "--endpoint 01a1fc9c-74c2-7f0b-b7a4-6e0c59b7b0de --status dead",
  columns: {
    ENDPOINT: "endpoint_id",
    ID: "id",
    EVENT: "event_type",
    STATUS: "status",
    ATTEMPTS: "attempt_count",
    CREATED: "created_at",
    "DELIVERED?": "delivered_at",
    // Without a row in the queue, a node sends it now.
    "NEXT ATTEMPT?": "{status=pending?{parked_until?|{next_attempt_at|'in progress'}}}",
    "PARKED UNTIL?": "parked_until",
    "LAST ERROR?": "last_error",
  },
};

/**
 * `GET /v1/deliveries`: of all accounts, newest first. A page reads a bounded number of deliveries: it may hold fewer than
 * `limit`, even none, and `next_cursor` goes on behind them.
 */
export function searchDeliveriesRoute(app: Listener, ports: OperatorPorts): void {
  const schema = {
    summary: "Search deliveries",
    description: `${LOG_ORDER} ${OF_A_REFERENCE}`,
    querystring: DeliveryQuery,
    response: {
      200: Type.Object({
        deliveries: Type.Array(foundDelivery.schema),
        next_cursor: NextCursor,
        unavailable_cells: UnavailableCells,
      }),
    },
    "x-cli": LIST,
  };
  app.get("/v1/deliveries", { schema }, async (request, reply) => {
    const wanted = readLogPage(request.query);
    if (typeof wanted === "string") return refuse(reply, { code: "INVALID_REQUEST", message: wanted });
    const { account_id: account, endpoint_id: endpoint } = request.query;
    if (account !== undefined && endpoint !== undefined)
      return refuse(reply, { code: "INVALID_REQUEST", message: "give account_id or endpoint_id, not both" });
    const reference = wantedReference(request.query.reference);
    if (reference === null) return searchPage(ports, request.query, wanted);
    const page = await pageOfReference(ports, request.query, reference, wanted);
    return page ?? refuse(reply, { code: "INVALID_REQUEST", message: MANY_REFERENCES });
  });
}

async function searchPage(ports: OperatorPorts, query: Static<typeof DeliveryQuery>, wanted: LogPageRequest) {
  const { status = null, type = null } = query;
  const endpointsOf = endpointsIn(ports, query);
  const { answers, unavailable } = await askCells(ports, async (cell) => {
    const endpointIds = await endpointsOf(cell);
    if (endpointIds?.length === 0) return { found: [], readTo: null };
    const page = { ...wanted, limit: wanted.limit + 1 };
    return pageDeliveries(ports.database, cell, { endpointIds, status, type }, page);
  });
  const { items, nextId } = pageOfCells(answers, wanted.limit);
  return shown(ports, items, nextId, unavailable);
}

/** All deliveries of as many events; null: too many references begin with it. */
async function pageOfReference(
  ports: OperatorPorts,
  query: Static<typeof DeliveryQuery>,
  reference: WantedReference,
  wanted: LogPageRequest,
) {
  const { status = null, type = null, account_id: accountId = null, endpoint_id: endpoint } = query;
  const endpointIds = endpoint === undefined ? null : [endpoint.toLowerCase()];
  const filter = { reference, accountId, product: null, type };
  const page = { ...wanted, limit: Math.min(wanted.limit, EVENTS_OF_DELIVERIES_MAX) };
  const { answers, unavailable } = await askCells(ports, (cell) =>
    pageDeliveriesByReference(ports.database, cell, filter, { status, endpointIds }, page),
  );
  const found = unlessTooMany(answers);
  if (found === null) return null;
  const { items, nextId } = pageOfCells(found, page.limit);
  const deliveries = items.flatMap((event) => event.deliveries);
  return shown(ports, deliveries, nextId, unavailable);
}

async function shown(
  ports: OperatorPorts,
  found: readonly DeliveryOfEvent[],
  nextId: string | null,
  unavailable: Iterable<string>,
) {
  const named = await withAccountNames(ports, found);
  return {
    deliveries: named.map((one) => foundDelivery.view(withParking(one, one.disabledAt, ports.parkedMs))),
    ...cursorOf(nextId),
    unavailable_cells: [...unavailable],
  };
}

/** The endpoints to search in a cell; null: all. */
function endpointsIn({ database }: OperatorPorts, query: Static<typeof DeliveryQuery>) {
  type Cell = OperatorPorts["cells"][number];
  const { endpoint_id: endpoint, account_id: account } = query;
  return async (cell: Cell): Promise<readonly string[] | null> => {
    if (endpoint !== undefined) return [endpoint.toLowerCase()];
    if (account === undefined) return null;
    return (await endpointListOfAccount(database, cell, account)).map((one) => one.id);
  };
}

/** `GET /v1/deliveries/{id}/body`: as every attempt sends it, while the event is kept */
export function readBodyRoute(app: Listener, ports: OperatorPorts): void {
  const schema = {
    summary: "Read the bytes of a delivery's body",
    params: IdPath,
    response: {
      200: Type.Object({ event_id: Type.String(), occurred_at: UtcDateTime, body: Type.String() }),
    },
  };
  app.get("/v1/deliveries/:id/body", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const read =
      id === null ? null : await findInCells(ports, (cell) => deliveryBody(ports.database, cell, id));
    if (id === null || read === null) return refuse(reply, goneOrNever("delivery", id, ports));
    const { eventId, type, occurredAt, data } = read.found;
    return {
      event_id: eventId,
      occurred_at: occurredAt.toISOString(),
      body: buildDeliveryBody(id, type, occurredAt.getTime(), data),
    };
  });
}
