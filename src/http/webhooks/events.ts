import Type from "typebox";

import { AnyObject, UtcDateTime } from "../../model/data-types.ts";
import { createSummaries, Summary } from "../../model/summaries.ts";
import { parseLosslessSteps, type JsonObject } from "../../model/json.ts";
import { wantedReference } from "../../model/references.ts";
import { timeOfUuid } from "../../model/uuid.ts";
import { runInSlices } from "../../runtime/time-slices.ts";
import { listEvents } from "../../store/deliveries/log-read.ts";
import { EVENTS_OF_DELIVERIES_MAX, listDeliveriesOfPage } from "../../store/search/references.ts";
import { answersOf } from "../answer-schema.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import { LOG_ORDER, logQuery, MANY_REFERENCES, readLogPage, referenceField } from "../log-page.ts";
import { cursorOf } from "../page.ts";
import type { ProductContext } from "../ports.ts";
import { resource, type Fields } from "../resource.ts";
import { deliveryOfAccount, withParking } from "./delivery.ts";
import { scopeOf } from "./endpoint.ts";
import { typeFilter } from "./event-types.ts";

type ShownDeliveries = readonly ReturnType<typeof deliveryOfAccount.view>[];

type RaisedEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly data: object;
  readonly summary: string | null;
  readonly deliveries: ShownDeliveries | undefined;
};

const event = resource("Event", {
  id: [Type.String({ format: "uuid", description: "its deliveries have it as event_id" }), ({ id }) => id],
  type: [Type.String(), ({ type }) => type],
  occurred_at: [UtcDateTime, ({ occurredAt }) => occurredAt.toISOString()],
  summary: [Summary, ({ summary }) => summary],
  data: [AnyObject, ({ data }) => data],
  created_at: [UtcDateTime, ({ id }) => new Date(timeOfUuid(id)).toISOString()],
  deliveries: [
    Type.Optional(
      Type.Unsafe<ShownDeliveries | undefined>(
        Type.Array(deliveryOfAccount.schema, {
          description:
            "with include_deliveries: one to each endpoint that was active and subscribed; some to endpoints that are gone may be missing",
        }),
      ),
    ),
    ({ deliveries }) => deliveries,
  ],
} satisfies Fields<RaisedEvent>);

/** `GET /v1/events`: whether or not an endpoint was active; nothing of it is sent again (spec 3.1: raised). */
export function listEventsRoute(app: Listener, context: ProductContext): void {
  const { product, database, clock, parkedMs } = context;
  const schema = {
    operationId: "listEvents",
    tags: ["Deliveries"],
    summary: "List what was raised for you",
    description: `${LOG_ORDER} Events are there whether or not an endpoint was active, for as long as history is kept. Samples are marked by data.sample.`,
    querystring: Type.Object({
      ...logQuery,
      ...referenceField,
      type: typeFilter(product),
      include_deliveries: Type.Optional(
        Type.Enum(["true", "false"], {
          description: `true: each event says what became of it; a page then has ${EVENTS_OF_DELIVERIES_MAX} events at most`,
        }),
      ),
    }),
    response: answersOf(product, Type.Array(event.schema), [], "page"),
  };

  const summaryOf = createSummaries([product]);
  app.get("/v1/events", { schema }, async (request, reply) => {
    const wanted = readLogPage(request.query);
    if (typeof wanted === "string")
      return refuse(reply, product, { code: "INVALID_REQUEST", message: wanted });
    const { cell, owner } = scopeOf(request, product);
    const { type = null, reference, include_deliveries: including } = request.query;
    const isIncluding = including === "true";
    const limit = isIncluding ? Math.min(wanted.limit, EVENTS_OF_DELIVERIES_MAX) : wanted.limit;
    const asked = { type, reference: wantedReference(reference) };
    const page = await listEvents(database, cell, owner, asked, { ...wanted, limit });
    if (page === "too_many")
      return refuse(reply, product, { code: "INVALID_REQUEST", message: MANY_REFERENCES });
    const { items, lastId } = page;
    const events = items.map((one) => ({ ...one, ...owner }));
    const sent = isIncluding ? await listDeliveriesOfPage(database, cell, events) : [];
    const byEvent = Map.groupBy(sent, ({ eventId }) => eventId);
    const views: object[] = [];
    for (const { data: text, ...raised } of items) {
      const data = (await runInSlices(parseLosslessSteps(text), clock)) as object;
      const summary = summaryOf(product.tag, raised.type, data as JsonObject);
      const own = byEvent.get(raised.id) ?? [];
      const shown = own.map((one) => deliveryOfAccount.view(withParking(one, one.disabledAt, parkedMs)));
      views.push(event.view({ ...raised, data, summary, deliveries: isIncluding ? shown : undefined }));
    }
    return answer(reply, product, 200, views, cursorOf(lastId));
  });
}
