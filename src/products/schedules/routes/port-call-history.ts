import Type from "typebox";

import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { readUuid } from "../../../model/uuid.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { showCallWithHistory } from "../search/history-view.ts";
import { getPortCall } from "../store/schedules-read.ts";
import { CallHistorySchema } from "./schedule-schema.ts";
import { publicSchema } from "../../../http/answer-schema.ts";

const CallPath = Type.Object({
  id: Type.String({
    description: "id of a call, as the lists of calls and sailings give it",
  }),
});

/** `GET /public/port-calls/{id}/history` without a key (spec 5: public_routes) */
export function portCallHistoryRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells } = context;
  const schema = {
    operationId: "readPortCallHistory",
    summary: "Read how a call's times, cut-offs, vessel, terminal and status have changed",
    description:
      "The call as it is known, and each change with its time. Of a sailing, the calls at both ports have their own. Limited by address.",
    params: CallPath,
    ...publicSchema(product, CallHistorySchema, ["NOT_FOUND"]),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/port-calls/:id/history", { schema, onRequest }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const found = id === null ? null : await getPortCall(database, productCells.of("schedules"), id);
    if (found === null) {
      return refuse(reply, product, { code: "NOT_FOUND", message: "no call with this id is known here" });
    }
    return answer(reply, product, 200, showCallWithHistory(readCallRecord(found)));
  });
}
