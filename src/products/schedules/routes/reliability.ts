import Type from "typebox";

import { readQuery, readCarrierOrAny, readPastDayOrNull, readServiceOrAny } from "../search/read-query.ts";
import { showCarrier, showService, showTrend } from "../search/sailing-view.ts";
import { FIRST_SERVICE } from "../store/schedules-read.ts";
import { readReliabilityDay } from "../store/service-reliability.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { DATE_OR_EMPTY } from "../../../http/stated-rules.ts";
import { CURSOR_ERROR, pageFields, pageOf, readPage } from "../../../http/key-page.ts";
import { CarrierQuery } from "./query.ts";
import { ReliabilitySchema } from "./reliability-schema.ts";
import { publicSchema } from "../../../http/answer-schema.ts";
import { serviceDayList, serviceDayListOfCarriers, serviceDayTrend } from "../store/reliability.sql.ts";

/** Days are kept for two years, and a page has a hundred services. */
const WEEKS_MAX = 53;
const CARRIERS_MAX = 500;

const ReliabilityQuery = Type.Object({
  carrier: CarrierQuery,
  service: Type.Optional(
    Type.String({
      stated: { maxLength: 100 },
      description: "only the service of this code, or of this name where it has none",
    }),
  ),
  day: Type.Optional(
    Type.String({
      stated: DATE_OR_EMPTY,
      description: "the last day of the window, by UTC; without it, the last measured day",
    }),
  ),
  weeks: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: WEEKS_MAX,
      description:
        "also each service's trend: its scores on the same day of so many weeks, the last one included",
    }),
  ),
  ...pageFields,
});

/** `GET /public/reliability` without a key (spec 5: public_routes) */
export function reliabilityRoute(windowDays: number) {
  return (app: Listener, context: ProductContext): void => {
    const { product, database, productCells, clock } = context;
    const schema = {
      operationId: "readReliability",
      summary: "Read how well carriers and their services keep their schedules",
      description:
        "The share of the measured arrivals of a window that were on time. Pages list services; each page has all carriers. Limited by address.",
      querystring: ReliabilityQuery,
      ...publicSchema(product, ReliabilitySchema, [], "page"),
    };

    const onRequest = limitByAddress(context);
    app.get("/public/reliability", { schema, onRequest }, async (request, reply) => {
      const page = readPage(request.query, ["text", "text"]);
      if (page === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
      const query = readQuery(request.query, (field) => ({
        carrier: field("carrier", readCarrierOrAny),
        service: field("service", readServiceOrAny),
        day: field("day", readPastDayOrNull(clock.nowMs())),
      }));
      if (query.kind === "invalid") {
        return refuse(reply, product, { code: "INVALID_REQUEST", message: query.message });
      }
      const { carrier, service } = query.value;
      const cell = productCells.of("schedules");
      const day = query.value.day ?? (await readReliabilityDay(database, cell));
      const nothing = { day: null, window_days: windowDays, carriers: [], services: [] };
      if (day === null) return answer(reply, product, 200, nothing);
      const [afterCarrier, afterService] = (page.after ?? []) as [string, string];
      const behind = page.after === null ? FIRST_SERVICE : { carrier: afterCarrier, service: afterService };
      const wanted = { day, carrier, service, behind, limit: page.limit + 1 };
      const found = await serviceDayList(database, cell, wanted);
      const carriers = await serviceDayListOfCarriers(database, cell, {
        day,
        carrier,
        carriersMax: CARRIERS_MAX,
      });
      const { items, ...next } = pageOf(page, found, (one) => [one.carrier, one.service]);
      const { weeks } = request.query;
      const trends =
        weeks === undefined ? null : await serviceDayTrend(database, cell, { day, services: items, weeks });
      const shown = {
        day,
        window_days: windowDays,
        carriers: carriers.map(showCarrier),
        services: items.map((one) => ({
          ...showService(one),
          ...(trends !== null && showTrend(one, trends)),
        })),
      };
      return answer(reply, product, 200, shown, next);
    });
  };
}
