/** What asking a feed comes to. Whatever goes wrong outside is an answer too. */
import type { FeedUpdate } from "../calls/call-statement.ts";

/** Something in an answer or a pushed body that could not be taken, and where: `$[0].vesselSchedules[2].vessel`. */
export type FeedProblem = { readonly path: string; readonly message: string };

export type FeedAnswer =
  | {
      readonly kind: "told";
      /**
       * One for each question that was answered (a service, a vessel, a port, a pair), in the order of asking.
       * Questions that were not are among the problems, by what they asked for. A call may be stated several times:
       * on two routings, or its arrival in one place and its departure in another.
       */
      readonly updates: readonly FeedUpdate[];
      readonly problems: readonly FeedProblem[];
    }
  | FeedFailure;

/** Nothing was told at all. */
export type FeedFailure =
  | {
      readonly kind: "unavailable";
      /** A short stable code: `http_503`, `timeout` … `quota` and `breaker_open` mean that nothing was asked. */
      readonly reason: string;
      /** How long to wait: as the feed asks, or until the quota or the breaker lets the next one pass. */
      readonly retryAfterMs: number | null;
    }
  /** Our credentials do not do. */
  | { readonly kind: "not_permitted"; readonly status: number }
  /** It does not understand what it is asked, or its answer is not of its kind. */
  | { readonly kind: "wrong"; readonly problems: readonly FeedProblem[] };
