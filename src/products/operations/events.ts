/** What the events say that a report, of an endpoint, a delivery or a source, becomes. */
import type { sourceReportList } from "../../freight/sources/store/sources.sql.ts";
import { clientsError } from "../../http/webhooks/delivery.ts";
import type { JsonObject } from "../../model/json.ts";
import { wordsOf } from "../../model/source-words.ts";
import type { reportList } from "../../store/reports/reports.sql.ts";
import type { RowOf } from "../../store/sql.ts";

export type Report = RowOf<typeof reportList>;
export type SourceReport = RowOf<typeof sourceReportList>;

/** Null: the endpoint is gone, and its history with it. */
export function dataOf(report: Report): JsonObject | null {
  const { accountId, endpointId, product, url, error } = report;
  if (product === null || url === null) return null;
  const ofEndpoint = {
    ...{ account_id: accountId, endpoint_id: endpointId, product, url },
    last_error: clientsError(error),
  };
  if (report.kind !== "delivery_dead") {
    return {
      ...ofEndpoint,
      failure_count: report.failureCount,
      failing_since: report.failingSince?.toISOString() ?? null,
    };
  }
  const { eventId, eventType, createdAt } = report;
  if (eventId === null || eventType === null || createdAt === null) return null;
  return {
    ...ofEndpoint,
    delivery_id: report.subject,
    event_id: eventId,
    event_type: eventType,
    attempt_count: report.attemptCount,
    last_status_code: report.lastStatusCode,
    created_at: createdAt.toISOString(),
  };
}

export function dataOfSource({ source, downSince, failure }: SourceReport): JsonObject {
  return {
    source,
    down_since: downSince.toISOString(),
    failure,
    text: failure === null ? null : wordsOf(failure),
  };
}
