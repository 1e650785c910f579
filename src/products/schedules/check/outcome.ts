/** What an answer of a feed becomes: the calls of the record as if it were empty before, and the ways of connections. */
import type { Mask } from "../../../freight/source-check/secrets.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";
import { mergeStatements, portServiceKeyOf, voyageKeyOf } from "../calls/merge-statements.ts";
import { firstRecord } from "../calls/next-call-record.ts";
import { RELIABILITY_DEFAULTS } from "../reliability/reliability.ts";
import type { FeedProblem } from "../sources/read-context.ts";

export type Outcome = {
  /** By carrier, service, voyage and port. */
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
  const calls = updates.flatMap(({ feed, atMs, calls: statements }) =>
    [...Map.groupBy(statements, (call) => `${voyageKeyOf(call)}\0${portServiceKeyOf(call)}`)]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, group]) => mergeStatements(group))
      .map((statement, index) =>
        firstRecord(
          { id: String(index), nth: 1 },
          statement,
          { feed, atMs, isComplete: false },
          RELIABILITY_DEFAULTS.noticeMs,
        ),
      ),
  );
  return {
    calls,
    connections: updates.reduce((sum, { routings }) => sum + (routings?.ways.length ?? 0), 0),
    skipped: problems.map(({ path, message }) => hide(`${path} ${message}`)),
  };
}
