/** Events of all accounts, as the operator searches and reads them. */
import Type from "typebox";

import type { Listener } from "../http/listener.ts";
import { logQuery, LOG_ORDER, MANY_REFERENCES, readLogPage, referenceField } from "../http/log-page.ts";
import { cursorOf, NextCursor } from "../http/page.ts";
import { resource, type Fields } from "../http/resource.ts";
import { withParking } from "../http/webhooks/delivery.ts";
import { UtcDateTime } from "../model/data-types.ts";
import type { DeliveryRecord } from "../model/delivery.ts";
import { createSummaries, Summary } from "../model/summaries.ts";
import type { JsonObject } from "../model/json.ts";
import { wantedReference } from "../model/references.ts";
import { readUuid, timeOfUuid } from "../model/uuid.ts";
import {
  findEvent,
  listDeliveriesOf,
  pageEvents,
  type DeliveryOfEvent,
  type EventPage,
  type FoundEvent,
} from "../store/search/events.ts";
import { pageEventsByReference } from "../store/search/references.ts";
import { AccountName, withAccountNames, type Named } from "./account-names.ts";
import { ofAnAccount } from "./accounts.ts";
import { IdPath, OPERATOR_DELIVERY } from "./endpoints.ts";
import { refuse } from "./errors.ts";
import { askCells, findInCells, UnavailableCells } from "./find-in-cells.ts";
import { pageOfCells, unlessTooMany } from "./page-of-cells.ts";
import type { OperatorPorts } from "./ports.ts";
import { goneOrNever } from "./pruned.ts";

const Id = Type.String({ format: "uuid" });

type ListedRecord = FoundEvent & Named & { readonly summary: string | null };

const EVENT = {
  id: [Id, ({ id }) => id],
  account_id: [Id, ({ accountId }) => accountId],
  account_name: [AccountName, ({ accountName }) => accountName],
  product: [Type.String(), ({ product }) => product],
  type: [Type.String(), ({ type }) => type],
  occurred_at: [UtcDateTime, ({ occurredAt }) => occurredAt.toISOString()],
  raised_at: [
    { ...UtcDateTime, description: "when Boathook accepted it" },
    ({ id }) => new Date(timeOfUuid(id)).toISOString(),
  ],
  summary: [Summary, ({ summary }) => summary],
  data_bytes: [Type.Integer({ description: "of its data" }), ({ bytes }) => bytes],
} satisfies Fields<ListedRecord>;

const listedEvent = resource("OperatorEvent", EVENT);

type ShownDelivery = DeliveryOfEvent & Pick<DeliveryRecord, "parkedUntil">;

const deliveryOfEvent = resource("DeliveryOfEvent", {
  id: OPERATOR_DELIVERY.id,
  endpoint_id: OPERATOR_DELIVERY.endpoint_id,
  url: OPERATOR_DELIVERY.url,
  status: OPERATOR_DELIVERY.status,
  attempt_count: OPERATOR_DELIVERY.attempt_count,
  last_status_code: OPERATOR_DELIVERY.last_status_code,
  last_error: OPERATOR_DELIVERY.last_error,
  created_at: OPERATOR_DELIVERY.created_at,
  delivered_at: OPERATOR_DELIVERY.delivered_at,
  parked_until: OPERATOR_DELIVERY.parked_until,
  next_attempt_at: OPERATOR_DELIVERY.next_attempt_at,
} satisfies Fields<ShownDelivery>);

const DELIVERIES =
  "one for each endpoint that was active and subscribed; some to endpoints that have been removed may be missing";

const detailedEvent = resource("OperatorEventDetail", {
  ...EVENT,
  data: [Type.String({ description: "JSON as it was raised, byte for byte" }), ({ data }) => data],
  deliveries: [
    Type.Array(deliveryOfEvent.schema, { description: DELIVERIES }),
    ({ deliveries }) => deliveries.map(deliveryOfEvent.view),
  ],
} satisfies Fields<
  ListedRecord & {
    readonly data: string;
    readonly deliveries: readonly ShownDelivery[];
  }
>);

/** Of the events of one page by reference, together. */
const PAGE_BYTES_MAX = 1024 * 1024;

function createTelling({ products }: OperatorPorts) {
  const summaryOf = createSummaries(products);
  return ({ product, type, data }: Pick<FoundEvent, "product" | "type" | "data">): string | null =>
    data === null ? null : summaryOf(product, type, JSON.parse(data) as JsonObject);
}

/** `GET /v1/events`: of all accounts, newest first */
export function searchEventsRoute(app: Listener, ports: OperatorPorts): void {
  const tags = ports.products.map(({ tag }) => tag);
  const toldOf = createTelling(ports);
  const schema = {
    summary: "Search events",
    description: LOG_ORDER,
    querystring: Type.Object({
      ...logQuery,
      ...referenceField,
      account_id: ofAnAccount,
      product: Type.Optional(Type.Enum(tags)),
      type: Type.Optional(Type.String()),
    }),
    response: {
      200: Type.Object({
        events: Type.Array(listedEvent.schema),
        next_cursor: NextCursor,
        unavailable_cells: UnavailableCells,
      }),
    },
    "x-cli": {
      ...{ command: "events list", rows: "events", limit: 20 },
      columns: {
        ACCOUNT: "account_id",
        ID: "id",
        PRODUCT: "product",
        TYPE: "type",
        RAISED: "raised_at",
        "WHAT?": "summary",
      },
    },
  };
  app.get("/v1/events", { schema }, async (request, reply) => {
    const wanted = readLogPage(request.query);
    if (typeof wanted === "string") return refuse(reply, { code: "INVALID_REQUEST", message: wanted });
    const { account_id: accountId = null, product = null, type = null } = request.query;
    const reference = wantedReference(request.query.reference);
    const filter = { accountId, product, type, products: tags };
    const page = { ...wanted, limit: wanted.limit + 1 };
    const asked = await askCells(ports, async (cell) =>
      reference === null
        ? await pageEvents(ports.database, cell, filter, page)
        : await pageEventsByReference(ports.database, cell, { ...filter, reference }, page, PAGE_BYTES_MAX),
    );
    const answers = unlessTooMany<EventPage>(asked.answers);
    if (answers === null) return refuse(reply, { code: "INVALID_REQUEST", message: MANY_REFERENCES });
    const { unavailable } = asked;
    const { items, nextId } = pageOfCells(answers, wanted.limit);
    const events = await withAccountNames(ports, items);
    return {
      events: events.map((one) => listedEvent.view({ ...one, summary: toldOf(one) })),
      ...cursorOf(nextId),
      unavailable_cells: [...unavailable],
    };
  });
}

/** `GET /v1/events/{id}`: what was raised, and what became of it */
export function readEventRoute(app: Listener, ports: OperatorPorts): void {
  const { database, parkedMs } = ports;
  const toldOf = createTelling(ports);
  const schema = {
    summary: "Read an event with its deliveries",
    params: IdPath,
    response: { 200: detailedEvent.schema },
    "x-cli": { command: "events show", sections: [{}, { of: "deliveries" }, { of: "data" }] },
  };
  app.get("/v1/events/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const read = id === null ? null : await findInCells(ports, (cell) => findEvent(database, cell, id));
    if (read === null) return refuse(reply, goneOrNever("event", id, ports));
    const { found } = read;
    const deliveries = await listDeliveriesOf(database, read.cell, [found]);
    const bytes = Buffer.byteLength(found.data);
    const viewed = deliveries.map((one) => withParking(one, one.disabledAt, parkedMs));
    const [named] = await withAccountNames(ports, [found]);
    return detailedEvent.view({ ...named!, summary: toldOf(found), bytes, deliveries: viewed });
  });
}
