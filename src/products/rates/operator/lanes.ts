/** Lanes with their rates, in the fields of a file: what is listed can be loaded. */
import Type, { type Static } from "typebox";

import type { Listener } from "../../../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../../../http/page.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { utcDay } from "../../../model/instant.ts";
import { readUuid } from "../../../model/uuid.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { readLaneFilter } from "../lanes/lane-filter.ts";
import { laneView, pastRateView, type LaneView } from "../lanes/lane-view.ts";
import { LanePath, LaneSchema, NO_LANE, PastRateSchema, RateSchema } from "../rate-schema.ts";
import { LanesQuery } from "../routes/lanes.ts";
import { getLane, listLanes } from "../store/reading/rate-lanes-read.ts";
import { laneRateHistory } from "../store/reading/lane-rates.sql.ts";

const NOT_IN_TOTAL = "{not_in_total[{amount} {currency}{per=bill? a bill}]}";

const LIST: CommandView = {
  ...{ command: "rates list", rows: "rates", limit: 100 },
  example: "--origin CNSHA --destination NLRTM",
  columns: {
    LANE: "lane_id",
    FROM: "origin",
    TO: "destination",
    EQUIPMENT: "equipment",
    CARRIER: "carrier|'market'",
    CURRENCY: "currency",
    TOTAL: "total",
    "VALID FROM": "valid_from",
    UNTIL: "valid_to",
    "NOT IN TOTAL": NOT_IN_TOTAL,
    LAYER: "layer",
    KIND: "kind",
    CONTRACT: "contract",
    COMMODITY: "commodity",
    RATE: "id",
  },
};

const { id: LaneId, rate: _, ...laneProperties } = LaneSchema.properties;
const LaneRate = Type.Object({
  ...laneProperties,
  lane_id: LaneId,
  ...Type.Partial(RateSchema).properties,
  rate: Type.Optional(Type.Null({ description: "it has no rate on the day" })),
});

/** `GET /v1/rates/lanes`: the rates that are valid on a day */
export const listRatesRoute: OperatorRoute = (app: Listener, { database, productCells, clock }) => {
  app.get(
    "/v1/rates/lanes",
    {
      schema: {
        summary: "List lanes with the rates of today or another day",
        querystring: LanesQuery,
        response: { 200: Type.Object({ rates: Type.Array(LaneRate), next_cursor: NextCursor }) },
        "x-cli": LIST,
      },
    },
    async (request, reply) => {
      const read = readLaneFilter(request.query);
      if (read.kind === "invalid")
        return refuse(reply, { code: "INVALID_REQUEST", message: `query.${read.message}` });
      const filter = { ...read.filter, day: read.filter.on ?? utcDay(clock.nowMs()) };
      const { items, ...next } = await pageOf(request.query, (page) =>
        listLanes(database, productCells.of("rates"), filter, page),
      );
      const rates = items.map((lane) => fileFields(laneView(lane)));
      return { rates, ...next };
    },
  );
};

function fileFields({ id, rate, ...lane }: LaneView): Static<typeof LaneRate> {
  return { ...lane, lane_id: id, ...(rate ?? { rate }) };
}

const HISTORY: CommandView = {
  ...{ command: "rates history", rows: "rates", names: { id: "lane-id" } },
  about: "With replaced and removed ones, the latest first.",
  columns: {
    LAYER: "layer",
    "VALID FROM": "valid_from",
    TO: "valid_to",
    BASE: "base",
    TOTAL: "total",
    "NOT IN TOTAL": NOT_IN_TOTAL,
    "LOADED AT": "loaded_at",
    STATE: "{ended_by?{ended_by} {ended_at}|in force}",
    RATE: "id",
  },
};

/** `GET /v1/rates/lanes/{id}`: all rates that a lane has had */
export const laneHistoryRoute: OperatorRoute = (app: Listener, { database, productCells, clock }) => {
  const schema = {
    summary: "List all rates that a lane has had",
    params: LanePath,
    querystring: PageQuery,
    response: { 200: Type.Object({ rates: Type.Array(PastRateSchema), next_cursor: NextCursor }) },
    "x-cli": HISTORY,
  };
  app.get("/v1/rates/lanes/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const cell = productCells.of("rates");
    const lane = id === null ? null : await getLane(database, cell, id, utcDay(clock.nowMs()));
    if (lane === null) return refuse(reply, NO_LANE);
    const { items, ...next } = await pageOf(request.query, (page) =>
      laneRateHistory(database, cell, { laneId: lane.id, ...page }),
    );
    return { rates: items.map((rate) => pastRateView(rate, lane.currency)), ...next };
  });
};
