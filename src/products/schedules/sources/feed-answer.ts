/** The outcome of fetching a feed; outside failures are outcomes, too. */
import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";

/** What could not be read of an answer or a pushed body, and where: `$[0].vesselSchedules[2].vessel`. */
export type FeedProblem = { readonly path: string; readonly message: string };

export type FeedAnswer =
  | {
      readonly kind: "answered";
      /**
       * One for each answered request (a service, a vessel, a port, a pair), in their order; the other requests are
       * among the problems. A call may be stated several times: on two routings, or its arrival and its departure apart.
       */
      readonly updates: readonly FeedUpdate[];
      readonly problems: readonly FeedProblem[];
    }
  | FeedFailure;

/** No request was answered. `quota` and `breaker_open` mean that none was sent. */
export type FeedFailure =
  | Exclude<NoAnswer, { readonly kind: "not_found" }>
  /** The feed refuses the request, or its answer is not of its kind. */
  | { readonly kind: "wrong"; readonly problems: readonly FeedProblem[] };
