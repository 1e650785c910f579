/** The outcome of fetching a feed; outside failures are outcomes, too. */
import type { FeedUpdate } from "../calls/call-statement.ts";

/** What could not be read of an answer or a pushed body, and where: `$[0].vesselSchedules[2].vessel`. */
export type FeedProblem = { readonly path: string; readonly message: string };

export type FeedAnswer =
  | {
      readonly kind: "told";
      /**
       * One for each answered request (a service, a vessel, a port, a pair), in their order; the other requests are
       * among the problems. A call may be stated several times: on two routings, or its arrival and its departure apart.
       */
      readonly updates: readonly FeedUpdate[];
      readonly problems: readonly FeedProblem[];
    }
  | FeedFailure;

/** No request was answered. */
export type FeedFailure =
  | {
      readonly kind: "unavailable";
      /** A short stable code: `http_503`, `timeout` … `quota` and `breaker_open` mean that no request was sent. */
      readonly reason: string;
      /** How long to wait: as the feed says, or until the quota or the breaker lets a request pass. */
      readonly retryAfterMs: number | null;
    }
  /** The feed refuses our credentials. */
  | { readonly kind: "not_permitted"; readonly status: number }
  /** The feed refuses the request, or its answer is not of its kind. */
  | { readonly kind: "wrong"; readonly problems: readonly FeedProblem[] };
