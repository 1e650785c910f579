import type { Listener } from "../../../http/listener.ts";
import { unknownField } from "../../../http/unknown-parameters.ts";
import { readInstant } from "../../../model/instant.ts";
import { isObject } from "../../../model/json.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorPorts } from "../../../operator/ports.ts";
import { FUTURE_MS_MAX } from "../sources/ais/ais-answer.ts";
import { readImo, readNavigationalStatus } from "../sources/ais/navigational-status.ts";
import { readPoint } from "../sources/ais/vessel-point.ts";
import { ingestReports } from "../sources/ais/vessel-reports.ts";
import type { VesselReportRow } from "../store/vessels.ts";

/** The name of what is pushed. */
export const POSITIONS = "vessel positions";

/** The largest request, in bytes: a thousand positions with capacity for unread fields. */
const POSITIONS_BODY_BYTES_MAX = 1024 * 1024;

/**
 * `POST /v1/vessels/positions`: 202 once every node can know, all or nothing. Those older than what is known
 * are `outdated` and change nothing.
 */
export function positionsRoute(app: Listener, { database, cells, clock, onPushed }: OperatorPorts): void {
  app.post(
    "/v1/vessels/positions",
    { bodyLimit: POSITIONS_BODY_BYTES_MAX, schema: { summary: "Push vessels' positions" } },
    async (request, reply) => {
      const nowMs = clock.nowMs();
      const reports = readPositions(request.body, nowMs);
      if (typeof reports === "string") {
        onPushed?.(POSITIONS, { subject: null, isRead: false, problems: [reports] });
        return refuse(reply, { code: "INVALID_REQUEST", message: reports });
      }
      const newer = await ingestReports(database, cells[0], reports, nowMs);
      onPushed?.(POSITIONS, { subject: `${reports.length} positions`, isRead: true, problems: [] });
      return reply.code(202).send({ accepted: newer, outdated: reports.length - newer });
    },
  );
}

/** The positions of one request. */
export const POSITIONS_MAX = 1_000;

/** The reports, or a message that names the first wrong position by its place and says what to change. */
export function readPositions(body: unknown, nowMs: number): readonly VesselReportRow[] | string {
  const sent = isObject(body) ? body["positions"] : undefined;
  if (!Array.isArray(sent)) return 'send {"positions": [{imo, status, at}]}';
  const unknown = unknownField(body as object, ["positions"]);
  if (unknown !== null) return `body${unknown}`;
  if (sent.length === 0 || sent.length > POSITIONS_MAX) {
    return `positions must hold 1 to ${POSITIONS_MAX} positions, not ${sent.length}; send more in further requests`;
  }
  const reports: VesselReportRow[] = [];
  for (const [index, one] of sent.entries()) {
    const report = readPosition(one, nowMs);
    if (typeof report === "string") return `positions[${index}]${report}`;
    reports.push(report);
  }
  return reports;
}

/** The report, of whose other fields nothing is read, or what is wrong with it, to be put behind its place. */
function readPosition(sent: unknown, nowMs: number): VesselReportRow | string {
  if (!isObject(sent)) return " must be an object";
  const imo = readImo(sent["imo"]);
  if (imo === null) return ".imo must be an IMO number of seven digits, such as 9321483";
  const status = readNavigationalStatus(sent["status"]);
  if (status === null) {
    return ".status must be a navigational status of ITU-R M.1371, 0 to 15 or its text, such as 5 or Moored";
  }
  const seenAtMs = typeof sent["at"] === "string" ? readInstant(sent["at"]) : null;
  if (seenAtMs === null || seenAtMs < 0 || seenAtMs > nowMs + FUTURE_MS_MAX) {
    return ".at must be an RFC 3339 date-time that is not in the future, such as 2026-01-31T08:00:00Z";
  }
  const position = readPoint(sent["latitude"], sent["longitude"], sent["course"]);
  if (position === "invalid") {
    return ".latitude and .longitude must be degrees, such as 51.95 and 4.05; leave both out if they are unknown";
  }
  return { imo, status, seenAtMs, position };
}
