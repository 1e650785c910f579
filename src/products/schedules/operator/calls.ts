/** Calls of vessels at ports, and what the operator sees of them beyond what anybody reads. */
import Type from "typebox";

import type { Listener } from "../../../http/listener.ts";
import { NextCursor } from "../../../http/page.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import { utcText } from "../../../model/instant.ts";
import { readUuid } from "../../../model/uuid.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { PortCallsQuery, searchPortCalls } from "../routes/port-calls.ts";
import { CallHistorySchema, PortCallSchema } from "../routes/schedule-schema.ts";
import { CALL_COLUMNS, showCall } from "../search/call-view.ts";
import { showCallWithHistory } from "../search/history-view.ts";
import { getPortCall } from "../store/schedules-read.ts";

const Reported = Type.Object(
  {
    ...PortCallSchema.properties,
    first_seen_at: UtcDateTime,
    feeds: Type.Array(
      Type.Object({ name: Type.String(), last_news_at: UtcDateTime, gone_at: nullable(UtcDateTime) }),
      { description: "the feeds that report it" },
    ),
  },
  { title: "ReportedCall" },
);

const LIST: CommandView = {
  ...{ command: "schedules calls", rows: "calls", limit: 50 },
  about: "Cancelled ones too, and the feeds that report each.",
  example: "--port NLRTM --carrier HRNL",
  columns: { ...CALL_COLUMNS, FEEDS: "feeds.name" },
};

/** `GET /v1/schedules/calls` */
export const listCallsRoute: OperatorRoute = (app: Listener, ports) => {
  const { kind: _, include_cancelled: _cancelled, ...query } = PortCallsQuery.properties;
  const schema = {
    summary: "List the known calls at a port",
    querystring: Type.Object({
      ...query,
      departures: Type.Optional(
        Type.Enum(["true", "false"], { description: "by departure, not by arrival" }),
      ),
    }),
    response: {
      200: Type.Unsafe<object>(Type.Object({ calls: Type.Array(Reported), next_cursor: NextCursor })),
    },
    "x-cli": LIST,
  };
  app.get("/v1/schedules/calls", { schema }, async (request, reply) => {
    const kind = request.query.departures === "true" ? "departure" : "arrival";
    const found = await searchPortCalls(ports, request.query, kind, true);
    if (typeof found === "string") return refuse(reply, { code: "INVALID_REQUEST", message: found });
    return { ...found, calls: found.calls.map(reportedCall) };
  });
};

function reportedCall(record: CallRecord) {
  return {
    ...showCall(record),
    first_seen_at: utcText(record.firstSeenMs),
    feeds: Object.entries(record.reports)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { said, goneMs }]) => ({
        name,
        last_news_at: utcText(Math.max(...Object.values(said).map(({ sinceMs }) => sinceMs))),
        gone_at: goneMs === null ? null : utcText(goneMs),
      })),
  };
}

const SHOW: CommandView = {
  command: "schedules history",
  about: "`calls --json` gives its id.",
  names: { id: "call" },
  example: "01a1f3c2-7c1e-7b3a-9c55-3f1f0a5d2b10",
  sections: [
    {
      of: "changes",
      columns: { CHANGED: "changed_at", FIELD: "field", FROM: "from", TO: "to", HOURS: "shift_hours" },
    },
  ],
};

/** `GET /v1/schedules/calls/{id}` */
export const readCallRoute: OperatorRoute = (app: Listener, { database, productCells }) => {
  const schema = {
    summary: "Show how a call's times, cut-offs, vessel, terminal and status have changed",
    params: Type.Object({ id: Type.String() }),
    response: { 200: Type.Unsafe<object>(CallHistorySchema) },
    "x-cli": SHOW,
  };
  app.get("/v1/schedules/calls/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const found = id === null ? null : await getPortCall(database, productCells.of("schedules"), id);
    if (found !== null) return showCallWithHistory(readCallRecord(found));
    return refuse(reply, { code: "NOT_FOUND", message: `no call has the id ${request.params.id}` });
  });
};
