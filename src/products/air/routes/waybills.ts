/** What an account tracks, without polling an airline. */
import Type from "typebox";

import { formatAwb, readAwb } from "../../../freight/references/awb.ts";
import { answersOf } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import { pageOf, PageQuery } from "../../../http/page.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { getWaybill, WaybillDetailSchema, type WaybillDetailPorts } from "../tracking/waybill-detail.ts";
import {
  listWaybills,
  WAYBILL_STATUSES,
  WaybillSummarySchema,
  type WaybillPorts,
} from "../tracking/waybill-list.ts";
import { AWB_FORM, AwbPath } from "./track.ts";

const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...WAYBILL_STATUSES], { description: "only waybills with this status" })),
  awb: Type.Optional(
    Type.String({
      description: "only the waybill with this number, in any formatting",
      stated: AWB_FORM,
    }),
  ),
});

/** `GET /v1/waybills`. Like every reading of what is tracked, it needs only a valid key. */
export function listWaybillsRoute(app: Listener, { product }: ProductContext, ports: WaybillPorts): void {
  const schema = {
    operationId: "listWaybills",
    tags: ["Waybills"],
    summary: "List the waybills that you track",
    description: "Newest first, without polling an airline.",
    querystring: ListQuery,
    response: answersOf(product, Type.Array(WaybillSummarySchema), ["INVALID_AWB"], "page"),
  };

  app.get("/v1/waybills", { schema }, async (request, reply) => {
    const { status = null, awb } = request.query;
    const read = awb === undefined ? null : readAwb(awb);
    if (read?.kind === "invalid")
      return refuse(reply, product, { code: "INVALID_AWB", message: read.message });
    const { account, cell } = callerOf(request);
    const filter = { status, awb: read?.awb ?? null };
    const { items, ...next } = await pageOf(request.query, (page) =>
      listWaybills(ports, cell, account.id, filter, page),
    );
    return answer(reply, product, 200, items, next);
  });
}

/** `GET /v1/waybills/{awb}`. */
export function readWaybillRoute(
  app: Listener,
  { product }: ProductContext,
  ports: WaybillDetailPorts,
): void {
  const schema = {
    operationId: "readWaybill",
    tags: ["Waybills"],
    summary: "Read a waybill that you track",
    description:
      "Its flights, its timeline with what is announced, what the airline said and what was raised, without polling the airline.",
    params: AwbPath,
    response: answersOf(product, WaybillDetailSchema, ["INVALID_AWB", "NOT_FOUND"]),
  };

  app.get("/v1/waybills/:awb", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const read = readAwb(request.params.awb);
    if (read.kind === "invalid")
      return refuse(reply, product, { code: "INVALID_AWB", message: read.message });
    const waybill = await getWaybill(ports, cell, account.id, read);
    if (waybill !== null) return answer(reply, product, 200, waybill);
    return refuse(reply, product, { code: "NOT_FOUND", message: `you do not track ${formatAwb(read.awb)}` });
  });
}
