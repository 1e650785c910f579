/** Pages of what has happened, newest first, by time and other filters. */
import Type, { type Static } from "typebox";

import { readInstant } from "../model/instant.ts";
import type { LogPageRequest } from "../model/page-request.ts";
import { normalizeReference } from "../model/references.ts";
import { firstUuidOf } from "../model/uuid.ts";
import { REFERENCES_MAX } from "../store/search/references.ts";
import { PageQuery, readPage } from "./page.ts";

const instant = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

const timeFields = { since: instant("created then or later"), until: instant("created before then") };

export const logQuery = { ...PageQuery.properties, ...timeFields };

/** What is asked for by a reference of the trade (model/references.ts). */
export const referenceField = {
  reference: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: 200,
        description:
          "of this container, bill, booking, air waybill, vessel, voyage, trade lane or plan, in any formatting; of all that begin with it, if it has four letters and digits or more",
      }),
      (sent) => normalizeReference(sent) !== "",
      () => "must have a letter or a digit, as MSCU1234566 has",
    ),
  ),
};

export const OF_A_REFERENCE = "With a reference, a page has all deliveries of as many events as limit says.";

export const MANY_REFERENCES = `more than ${REFERENCES_MAX} references begin with it; say more of the reference`;

export const LOG_ORDER =
  "Newest first. A page looks through a bounded number of entries: with filters it may hold fewer than limit, or none, and still have a next_cursor.";

type LogQuery = Static<typeof PageQuery> & {
  readonly [Name in keyof typeof timeFields]?: string | undefined;
};

/** A text says what is wrong with the query. */
export function readLogPage(query: LogQuery): LogPageRequest | string {
  const page = readPage(query);
  const [since, until] = [idAt(query.since, 0), idAt(query.until, Number.POSITIVE_INFINITY)];
  if (since === null || until === null) {
    return `query.${since === null ? "since" : "until"} must be a date-time such as 2026-01-31T08:00:00Z`;
  }
  if (since > until) return "query.since must be before until: nothing lies between them";
  const beforeId = page.afterId !== null && page.afterId < until ? page.afterId : until;
  return { fromId: since, beforeId, limit: page.limit };
}

function idAt(text: string | undefined, otherwiseMs: number): string | null {
  const timeMs = text === undefined ? otherwiseMs : readInstant(text);
  return timeMs === null ? null : firstUuidOf(timeMs);
}
