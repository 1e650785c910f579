import Type from "typebox";

import { utcDay } from "../../../model/instant.ts";
import { readUuid } from "../../../model/uuid.ts";
import { readLaneFilter } from "../lanes/lane-filter.ts";
import { laneView, pastRateView } from "../lanes/lane-view.ts";
import { getLane, listLanes } from "../store/reading/rate-lanes-read.ts";
import { answersOf } from "../../../http/answer-schema.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { pageOf, PageQuery } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { LanePath, LaneSchema, NO_LANE, PastRateSchema } from "../rate-schema.ts";
import { DATE, UNLOCODE } from "../../../http/stated-rules.ts";
import { laneRateHistory } from "../store/reading/lane-rates.sql.ts";

export const LanesQuery = Type.Object({
  ...PageQuery.properties,
  origin: Type.Optional(Type.String({ description: "only those from this UN/LOCODE", stated: UNLOCODE })),
  destination: Type.Optional(Type.String({ description: "only those to this UN/LOCODE", stated: UNLOCODE })),
  equipment: Type.Optional(
    Type.String({
      description: "only those for this equipment, such as 40HC",
      stated: { pattern: "^ *[A-Za-z0-9]{3,6} *$" },
    }),
  ),
  carrier: Type.Optional(
    Type.String({
      description: "only those of this SCAC; market: the market's",
      stated: { pattern: "^(?:[A-Za-z]{2,6}|\\*)?$" },
    }),
  ),
  kind: Type.Optional(
    Type.String({
      description: "only contract or spot rates; none: those of no stated kind",
      stated: { pattern: "^ *(?:[Cc][Oo][Nn][Tt][Rr][Aa][Cc][Tt]|[Ss][Pp][Oo][Tt]|[Nn][Oo][Nn][Ee]) *$" },
    }),
  ),
  contract: Type.Optional(Type.String({ description: "only those of the contract of this number or name" })),
  commodity: Type.Optional(Type.String({ description: "only those for this commodity, such as FAK" })),
  on: Type.Optional(
    Type.String({ description: "the rates of this date; without it, today's", stated: DATE }),
  ),
});

/** `GET /v1/lanes` */
export function listLanesRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells, clock } = context;
  const schema = {
    operationId: "listLanes",
    tags: ["Lanes"],
    summary: "List lanes and their rates",
    description:
      "By origin, destination, equipment, carrier, currency, kind, contract and commodity. Filters narrow the list.",
    querystring: LanesQuery,
    response: answersOf(product, Type.Array(LaneSchema), ["ENTITLEMENT_REQUIRED"], "page"),
  };

  const preHandler = requireEntitlement(context);
  app.get("/v1/lanes", { schema, preHandler }, async (request, reply) => {
    const read = readLaneFilter(request.query);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: `query.${read.message}` });
    }
    const { filter } = read;
    const day = filter.on ?? utcDay(clock.nowMs());
    const { items, ...next } = await pageOf(request.query, (page) =>
      listLanes(database, productCells.of("rates"), { ...filter, day }, page),
    );
    return answer(reply, product, 200, items.map(laneView), next);
  });
}

/** `GET /v1/lanes/{id}` */
export function readLaneRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells, clock } = context;
  const schema = {
    operationId: "readLane",
    tags: ["Lanes"],
    summary: "Read a lane and its current rate",
    params: LanePath,
    response: answersOf(product, LaneSchema, ["ENTITLEMENT_REQUIRED", "NOT_FOUND"]),
  };

  const preHandler = requireEntitlement(context);
  app.get("/v1/lanes/:id", { schema, preHandler }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const lane =
      id === null ? null : await getLane(database, productCells.of("rates"), id, utcDay(clock.nowMs()));
    if (lane === null) return refuse(reply, product, NO_LANE);
    return answer(reply, product, 200, laneView(lane));
  });
}

/** `GET /v1/lanes/{id}/history` */
export function laneHistoryRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells, clock } = context;
  const schema = {
    operationId: "readLaneHistory",
    tags: ["Lanes"],
    summary: "Read all rates of a lane, past and future",
    description: "Latest first, with replaced and removed rates.",
    params: LanePath,
    querystring: PageQuery,
    response: answersOf(product, Type.Array(PastRateSchema), ["ENTITLEMENT_REQUIRED", "NOT_FOUND"], "page"),
  };

  const preHandler = requireEntitlement(context);
  app.get("/v1/lanes/:id/history", { schema, preHandler }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const lane =
      id === null ? null : await getLane(database, productCells.of("rates"), id, utcDay(clock.nowMs()));
    if (lane === null) return refuse(reply, product, NO_LANE);
    const { items, ...next } = await pageOf(request.query, (page) =>
      laneRateHistory(database, productCells.of("rates"), { laneId: lane.id, ...page }),
    );
    return answer(
      reply,
      product,
      200,
      items.map((rate) => pastRateView(rate, lane.currency)),
      next,
    );
  });
}
