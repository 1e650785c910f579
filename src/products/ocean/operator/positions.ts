import type { Listener } from "../../../http/listener.ts";
import { ingestReports } from "../sources/ais/vessel-reports.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorPorts } from "../../../operator/ports.ts";
import { readPositions } from "./read-positions.ts";

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
