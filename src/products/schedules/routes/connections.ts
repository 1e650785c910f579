import Type from "typebox";

import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { networkOf } from "../../../http/network.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import type { Refusal } from "../../../http/refusal.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import type { JoinedCarriers } from "../search/find-ways.ts";
import { readQuery } from "../search/read-query.ts";
import { showConnection } from "../search/sailing-view.ts";
import { searchConnections } from "../search/search-connections.ts";
import { createSearchTurns, type SearchBusy } from "../search/search-turns.ts";
import { CURSOR_ERROR, cursorBehind, pageFields, readPage } from "../../../http/key-page.ts";
import { CarrierQuery } from "./query.ts";
import { ConnectionSchema } from "./schedule-schema.ts";
import { readWay, wayFields } from "./way.ts";
import { publicSchema } from "../../../http/answer-schema.ts";

/** A box that waits longer is on no through journey. */
const WAIT_MS_MAX = 21 * DAY_MS;

const ConnectionsQuery = Type.Object({
  ...wayFields,
  carrier: CarrierQuery,
  across_carriers: Type.Optional(
    Type.Enum(["true", "false"], {
      description: "true: also ways whose legs no one carrier sells; carrier is then that of the first leg",
    }),
  ),
  transshipments: Type.Optional(Type.Enum(["1", "2"], { description: "at most so many; without it, 1" })),
  ...pageFields,
});

const TOO_MANY =
  "query has more calls between its ports than one search checks: name a carrier, fewer days, transshipments=1, or no across_carriers";

const BUSY_RETRY_S = 1;
const BUSY: Readonly<Record<SearchBusy["reason"], Refusal>> = {
  address_limit: {
    code: "RATE_LIMITED",
    message: "some connections are being searched for your address already; wait for one of the answers",
    headers: { "retry-after": String(BUSY_RETRY_S) },
  },
  queue_full: {
    code: "UNAVAILABLE",
    message: "too many connections are being searched at the moment; try again",
    headers: { "retry-after": String(BUSY_RETRY_S) },
  },
};

/** `GET /public/connections` without a key (spec 5: public_routes) */
export function connectionsRoute(waitMsMin: number) {
  return (app: Listener, context: ProductContext): void => {
    const { product, database, productCells, clock } = context;
    const schema = {
      operationId: "listConnections",
      summary: "List ways from one port to another with transshipment",
      description:
        "By departure: of each the ways that carriers publish, and those joined from sailings of one carrier that arrive earlier or with fewer transshipments. From the record of schedules, without polling carriers. Limited by address.",
      querystring: ConnectionsQuery,
      ...publicSchema(product, Type.Array(ConnectionSchema), [], "page"),
    };

    const onRequest = limitByAddress(context);
    const turns = createSearchTurns(clock);
    app.get("/public/connections", { schema, onRequest }, async (request, reply) => {
      const page = readPage(request.query, ["ms", "uuid"]);
      if (page === null) return refuse(reply, product, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
      const query = readQuery(request.query, (field) => readWay(field, clock.nowMs()));
      if (query.kind === "invalid") {
        return refuse(reply, product, { code: "INVALID_REQUEST", message: query.message });
      }
      const { destination, ...filter } = query.value;
      const carriers: JoinedCarriers = request.query.across_carriers === "true" ? "any" : "one";
      const transshipmentsMax = request.query.transshipments === "2" ? 2 : 1;
      const [ms, id] = (page.after ?? []) as [number, string];
      const search = {
        filter,
        carriers,
        rules: { destination, transshipmentsMax, waitMsMin, waitMsMax: WAIT_MS_MAX },
        behind: page.after === null ? null : { ms, id },
        limit: page.limit,
      };
      const cell = productCells.of("schedules");
      const searched = await turns.take(networkOf(request.ip), () =>
        searchConnections(database, cell, search, clock),
      );
      if (searched.kind === "busy") return refuse(reply, product, BUSY[searched.reason]);
      if (searched.found === "too_many") {
        return refuse(reply, product, { code: "INVALID_REQUEST", message: TOO_MANY });
      }
      const { connections, next } = searched.found;
      const further = next && { next_cursor: cursorBehind(page, [next.ms, next.id]) };
      return answer(reply, product, 200, connections.map(showConnection), further ?? {});
    });
  };
}
