import Type from "typebox";

import { readImoNumber } from "../../../freight/references/imo-number.ts";
import { showVessel, VESSEL_CALLS_MAX } from "../search/vessel-view.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { listCallsOfVessel } from "../store/schedules-read.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { IMO_NUMBER } from "../../../http/stated-rules.ts";
import { CancelledQuery } from "./query.ts";
import { VesselSchema } from "./schedule-schema.ts";
import { publicSchema } from "../../../http/answer-schema.ts";

const VesselPath = Type.Object({
  imo: Type.String({
    description: "the vessel's IMO number, seven digits",
    stated: IMO_NUMBER,
  }),
});

const VesselQuery = Type.Object({ include_cancelled: CancelledQuery });

/** `GET /public/vessels/{imo}` without a key (spec 5: public_routes) */
export function vesselRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells, clock } = context;
  const schema = {
    operationId: "readVessel",
    summary: "Read a vessel's previous, current and next calls",
    description: "As all carriers report them, without polling carriers. Limited by address.",
    params: VesselPath,
    querystring: VesselQuery,
    ...publicSchema(product, VesselSchema, ["NOT_FOUND"]),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/vessels/:imo", { schema, onRequest }, async (request, reply) => {
    const read = readImoNumber(request.params.imo);
    if (read.kind === "invalid") {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: `params.imo ${read.message}` });
    }
    const { imo } = read;
    const nowMs = clock.nowMs();
    const cell = productCells.of("schedules");
    const records = await listCallsOfVessel(database, cell, imo, nowMs, VESSEL_CALLS_MAX);
    if (records.length === 0) {
      return refuse(reply, product, {
        code: "NOT_FOUND",
        message: `no call of a vessel with the IMO number ${imo} is known here`,
      });
    }
    const withCancelled = request.query.include_cancelled === "true";
    return answer(reply, product, 200, showVessel(imo, records.map(readCallRecord), withCancelled, nowMs));
  });
}
