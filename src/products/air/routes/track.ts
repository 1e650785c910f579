import Type from "typebox";

import { formatAwb, readAwb, type Awb } from "../../../freight/references/awb.ts";
import { stopTrackingAwb, type TrackAwb, type TrackResult } from "../tracking/track.ts";
import { WaybillSchema } from "../tracking/waybill-view.ts";
import { answersOf } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { Refusal } from "../../../http/refusal.ts";

/** Eleven digits, whatever stands between them. */
export const AWB_FORM = { pattern: "^[^0-9]*(?:[0-9][^0-9]*){11}$" };

export const AwbPath = Type.Object({
  awb: Type.String({
    description: "eleven digits in any formatting, such as 176-12345675; the first three name the airline",
    stated: AWB_FORM,
  }),
});

/** `GET /track/{awb}` (spec 4.3: track, awb). Needs only a valid key (5.6). */
export function trackRoute(app: Listener, { product }: ProductContext, track: TrackAwb): void {
  const schema = {
    operationId: "trackWaybill",
    tags: ["Waybills"],
    summary: "Track an air waybill",
    description:
      "The first request starts tracking and waits some seconds for the airline's answer. Later requests answer at once, and refresh a record that is some minutes old.",
    params: AwbPath,
    response: answersOf(product, WaybillSchema, [
      "INVALID_AWB",
      "UNKNOWN_AIRLINE",
      "WAYBILL_NOT_FOUND",
      "AIRLINE_NOT_CONFIGURED",
      "AIRLINE_UNAVAILABLE",
      "REFERENCE_LIMIT",
    ]),
  };

  app.get("/track/:awb", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const read = readAwb(request.params.awb);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_AWB", message: read.message });
    }
    const tracked = await track(cell, account.id, read);
    if (tracked.kind === "waybill") return answer(reply, product, 200, tracked.waybill);
    return refuse(reply, product, refusalOf(tracked, read));
  });
}

const StoppedSchema = Type.Object({ awb: Type.String(), deleted: Type.Literal(true) });

/** `DELETE /track/{awb}`: raises no event from the answer on. Like every DELETE, it needs only a valid key. */
export function stopTrackingRoute(app: Listener, { product, database }: ProductContext): void {
  const schema = {
    operationId: "stopTrackingWaybill",
    tags: ["Waybills"],
    summary: "Stop tracking an air waybill",
    description: "Events already raised are still delivered. A later GET starts tracking again.",
    params: AwbPath,
    response: answersOf(product, StoppedSchema, ["INVALID_AWB", "NOT_FOUND"]),
  };

  app.delete("/track/:awb", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const read = readAwb(request.params.awb);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_AWB", message: read.message });
    }
    if (await stopTrackingAwb(database, cell, account.id, read)) {
      return answer(reply, product, 200, { awb: read.awb, deleted: true });
    }
    return refuse(reply, product, {
      code: "NOT_FOUND",
      message: `you do not track ${formatAwb(read.awb)}`,
    });
  });
}

function refusalOf(tracked: Exclude<TrackResult, { kind: "waybill" }>, { awb, prefix }: Awb): Refusal {
  switch (tracked.kind) {
    case "unknown_airline":
      return {
        code: "UNKNOWN_AIRLINE",
        message: `no airline is known by ${prefix}; check the first three digits`,
      };
    case "not_configured":
      return {
        code: "AIRLINE_NOT_CONFIGURED",
        message: `${tracked.airline.name} (${prefix}) is not configured; the operator of this service can add it`,
      };
    case "limit":
      return {
        code: "REFERENCE_LIMIT",
        message: "no airline knows many of your waybills yet; wait for answers, or stop tracking some",
      };
    case "not_found":
      return {
        code: "WAYBILL_NOT_FOUND",
        message: `${tracked.airline.name} does not know ${formatAwb(awb)} yet; check the number. The service keeps polling and raises its events until you stop tracking it`,
      };
    case "unavailable":
      return {
        code: "AIRLINE_UNAVAILABLE",
        message: `${tracked.airline.name} does not answer at the moment; the service polls it again, so try again later`,
        headers: { "retry-after": String(Math.max(1, Math.ceil(tracked.retryAfterMs / 1_000))) },
      };
  }
}
