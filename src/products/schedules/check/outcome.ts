/** What an answer of a feed becomes: the calls of the record as if it were empty before, and the ways of connections. */
import type { Mask } from "../../../freight/source-check/secrets.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";
import { firstRecordsOf } from "../calls/ingest.ts";
import { RELIABILITY_DEFAULTS } from "../reliability/reliability.ts";
import type { FeedProblem } from "../sources/read-context.ts";

const SETTINGS = { reliability: RELIABILITY_DEFAULTS };

export type Outcome = {
  /** By voyage, and in each by port. */
  readonly calls: readonly CallRecord[];
  /** Connections that the carrier publishes by these calls. */
  readonly connections: number;
  readonly skipped: readonly string[];
};

/** `hide`: takes secrets out of what problems quote. */
export function outcomeOf(
  updates: readonly FeedUpdate[],
  problems: readonly FeedProblem[],
  hide: Mask["hide"],
): Outcome {
  let number = 0;
  // Nothing is stored: an id tells the calls of one answer apart.
  const random = { uuid: () => String((number += 1)) };
  const calls = updates.flatMap((update) => firstRecordsOf(update, { random }, SETTINGS));
  return {
    calls,
    connections: updates.reduce((sum, { routings }) => sum + (routings?.ways.length ?? 0), 0),
    skipped: problems.map(({ path, message }) => hide(`${path} ${message}`)),
  };
}
