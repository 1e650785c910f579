import Type, { type Static } from "typebox";

import {
  DAYS_DEFAULT,
  DAYS_MAX,
  readQuery,
  readCarrierOrAny,
  readPort,
  readVesselOrAny,
  windowAt,
} from "../search/read-query.ts";
import { callState, departureState, showCall } from "../search/call-view.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { listPortCalls } from "../store/schedules-read.ts";
import { readDayOrNone } from "../../../freight/tables/field.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { DATE_OR_EMPTY, IMO_NUMBER_OR_EMPTY, UNLOCODE } from "../../../http/stated-rules.ts";
import { CURSOR_ERROR, pageFields, pageOf, readPage } from "../../../http/key-page.ts";
import { CancelledQuery, CarrierQuery } from "./query.ts";
import { PortCallSchema } from "./schedule-schema.ts";
import { publicSchema } from "../../../http/answer-schema.ts";

export const PortCallsQuery = Type.Object({
  port: Type.String({ description: "UN/LOCODE of the port", stated: UNLOCODE }),
  kind: Type.Optional(
    Type.Enum(["arrival", "departure"], {
      description: "the time that the days and the order refer to; without it, arrival",
    }),
  ),
  from: Type.Optional(
    Type.String({
      description: "the first day, by the port's calendar; without it, today",
      stated: DATE_OR_EMPTY,
    }),
  ),
  to: Type.Optional(
    Type.String({
      stated: DATE_OR_EMPTY,
      description: `the last day; without it, ${DAYS_DEFAULT} days in all; ${DAYS_MAX} at most`,
    }),
  ),
  carrier: CarrierQuery,
  vessel: Type.Optional(
    Type.String({
      description: "only those of the vessel with this IMO number",
      stated: IMO_NUMBER_OR_EMPTY,
    }),
  ),
  include_cancelled: CancelledQuery,
  ...pageFields,
});

type Asked = Omit<Static<typeof PortCallsQuery>, "kind" | "include_cancelled">;

/** A page of the calls that a query asks for; or what is wrong with it. */
export async function searchPortCalls(
  { database, productCells, clock }: Pick<ProductContext, "database" | "productCells" | "clock">,
  asked: Asked,
  kind: "arrival" | "departure",
  withCancelled: boolean,
): Promise<string | { readonly calls: readonly CallRecord[]; readonly next_cursor?: string }> {
  const page = readPage(asked, ["ms", "uuid"]);
  if (page === null) return CURSOR_ERROR;
  const query = readQuery(asked, (field) => {
    const port = field("port", readPort);
    const [from, to] = [field("from", readDayOrNone), field("to", readDayOrNone)];
    return {
      port,
      kind,
      ...windowAt(port, from, to, clock.nowMs()),
      carrier: field("carrier", readCarrierOrAny),
      vessel: field("vessel", readVesselOrAny),
      withCancelled,
    };
  });
  if (query.kind === "invalid") return query.message;
  const [ms, id] = (page.after ?? []) as [number, string];
  const after = page.after === null ? null : { ms, id };
  const cell = productCells.of("schedules");
  const found = await listPortCalls(database, cell, query.value, after, page.limit + 1);
  const { items, ...next } = pageOf(page, found, (call) => [call.at.getTime(), call.id]);
  return { calls: items.map(({ record }) => readCallRecord(record)), ...next };
}

/** `GET /public/port-calls` without a key (spec 5: public_routes) */
export function portCallsRoute(app: Listener, context: ProductContext): void {
  const { product } = context;
  const schema = {
    operationId: "listPortCalls",
    summary: "List the calls of vessels at a port",
    description:
      "By arrival or departure. From the record of schedules, without polling carriers. Limited by address.",
    querystring: PortCallsQuery,
    ...publicSchema(product, Type.Array(PortCallSchema), [], "page"),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/port-calls", { schema, onRequest }, async (request, reply) => {
    const { kind = "arrival", include_cancelled: withCancelled } = request.query;
    const found = await searchPortCalls(context, request.query, kind, withCancelled === "true");
    if (typeof found === "string") return refuse(reply, product, { code: "INVALID_REQUEST", message: found });
    const { calls, ...next } = found;
    const stateOf = kind === "arrival" ? callState : departureState;
    const shown = calls.map((record) => showCall(record, stateOf(record)));
    return answer(reply, product, 200, shown, next);
  });
}
