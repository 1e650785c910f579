import Type from "typebox";

import { formatAwb, readAwb } from "../../../freight/references/awb.ts";
import type { TrackResult } from "../tracking/track.ts";
import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import { callerOf } from "../../../http/authenticate.ts";
import { requireEntitlement } from "../../../http/entitlement.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import type { Refusal } from "../../../http/refusal.ts";
import { AwbPath, WaybillSchema } from "./shape.ts";
import type { AirTracking } from "./tracking.ts";

/** `GET /track/{awb}` (spec 2.6, 4.3) */
export function trackRoute(app: Listener, context: ProductContext, tracking: AirTracking): void {
  const { product } = context;
  const schema = {
    operationId: "trackWaybill",
    tags: ["Waybills"],
    summary: "Track an air waybill",
    description:
      "The first request asks the airline while you wait, for some seconds at most, and starts tracking. Later ones answer from what is known, and ask again when that is some minutes old.",
    params: AwbPath,
    response: {
      200: answerSchema(product, WaybillSchema),
      ...refusalSchemas(product, [
        "INVALID_AWB",
        "ENTITLEMENT_REQUIRED",
        "UNKNOWN_AIRLINE",
        "WAYBILL_NOT_FOUND",
        "AIRLINE_NOT_CONFIGURED",
        "AIRLINE_UNAVAILABLE",
      ]),
    },
  };

  const preHandler = requireEntitlement(context);
  app.get("/track/:awb", { schema, preHandler }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const read = readAwb(request.params.awb);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_AWB", message: read.message });
    }
    const tracked = await tracking.track(cell, account.id, read);
    if (tracked.kind === "waybill") return answer(reply, product, 200, tracked.waybill);
    return refuse(reply, product, refusalOf(tracked, read));
  });
}

const StoppedSchema = Type.Object({ awb: Type.String(), deleted: Type.Literal(true) });

/** `DELETE /track/{awb}`: nothing is raised of it from the answer on. Takes no entitlement, as no DELETE does. */
export function stopTrackingRoute(app: Listener, context: ProductContext, tracking: AirTracking): void {
  const { product } = context;
  const schema = {
    operationId: "stopTrackingWaybill",
    tags: ["Waybills"],
    summary: "Stop tracking an air waybill",
    description: "Events that were raised are delivered still. A later GET tracks it anew.",
    params: AwbPath,
    response: {
      200: answerSchema(product, StoppedSchema),
      ...refusalSchemas(product, ["INVALID_AWB", "NOT_FOUND"]),
    },
  };

  app.delete("/track/:awb", { schema }, async (request, reply) => {
    const { account, cell } = callerOf(request);
    const read = readAwb(request.params.awb);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_AWB", message: read.message });
    }
    if (await tracking.stop(cell, account.id, read)) {
      return answer(reply, product, 200, { awb: read.awb, deleted: true });
    }
    return refuse(reply, product, {
      code: "NOT_FOUND",
      message: `you do not track ${formatAwb(read.awb)}`,
    });
  });
}

function refusalOf(
  tracked: Exclude<TrackResult, { kind: "waybill" }>,
  { awb, prefix }: { readonly awb: string; readonly prefix: string },
): Refusal {
  switch (tracked.kind) {
    case "unknown_airline":
      return {
        code: "UNKNOWN_AIRLINE",
        message: `no airline is known by ${prefix}; check the first three digits`,
      };
    case "not_configured":
      return {
        code: "AIRLINE_NOT_CONFIGURED",
        message: `${tracked.airline.name} (${prefix}) is not asked here; whoever runs this service can configure it`,
      };
    case "not_found":
      return {
        code: "WAYBILL_NOT_FOUND",
        message: `${tracked.airline.name} does not know ${formatAwb(awb)} yet; check the number. It is asked for again, and its events are raised, until you stop tracking it`,
      };
    case "unavailable":
      return {
        code: "AIRLINE_UNAVAILABLE",
        message: `${tracked.airline.name} does not answer just now; it is asked again by itself, so ask here again later`,
        headers: { "retry-after": String(Math.max(1, Math.ceil(tracked.retryAfterMs / 1_000))) },
      };
  }
}
