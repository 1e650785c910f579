/**
 * A call of a vessel at a port as it is known from all that feeds have said of it: what is stored, shown and
 * compared with what is said next. Times are milliseconds since the epoch.
 */
import type { CallStatus, CallTime, CallTimes, CutOff } from "./call-statement.ts";

/** What is known of a call; null: nobody has said. */
export type CallFacts = {
  readonly service: {
    readonly code: string | null;
    readonly name: string | null;
    /** The universal service reference. */
    readonly universal: string | null;
  };
  /** The carrier's own numbers of the voyage on which the vessel comes, and of that on which it leaves. */
  readonly voyage: { readonly import: string | null; readonly export: string | null };
  readonly vessel: { readonly imo: string | null; readonly name: string | null; readonly isDummy: boolean };
  readonly portName: string | null;
  /** SMDG facility code. */
  readonly terminal: string | null;
  /** transportCallReference: not the same for ever, nor at every feed. */
  readonly reference: string | null;
  /** Null: as planned. */
  readonly status: CallStatus | null;
  readonly arrival: CallTimes;
  readonly departure: CallTimes;
  /** By code, each once. */
  readonly cutOffs: readonly CutOff[];
  readonly delayReason: string | null;
  readonly remark: string | null;
};

/** Facts whose changes are kept. */
export type TrackedFact =
  | "vessel"
  | "terminal"
  | "status"
  | `${"arrival" | "departure"}.${keyof CallTimes}`
  | `cutOff.${string}`;

/** What a fact was, from then on. */
export type FactValue = { readonly value: unknown; readonly sinceMs: number };

/** What one feed last said of the call, fact by fact, and since when it has said so. */
export type FeedReport = {
  readonly said: { readonly [fact: string]: FactValue };
  /** Since when the call has been missing from complete fetches of the feed; null while it is told of. */
  readonly goneMs: number | null;
  /** Whether the feed's fetches are complete, so that it would say when the call is gone. */
  readonly isComplete: boolean;
};

export type CallRecord = CallFacts & {
  readonly id: string;
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODE. */
  readonly port: string;
  /** Tells calls of one voyage at one port apart; in the order in which they became known. */
  readonly nth: number;
  readonly firstSeenMs: number;
  /** Since when no complete fetch has told of it any more; null while one does. */
  readonly goneMs: number | null;
  /**
   * The values of facts that have changed, oldest first, the present one last, {@link HISTORY_MAX} at most. A fact that
   * is not here has been as it is since `firstSeenMs`.
   */
  readonly history: { readonly [fact in TrackedFact]?: readonly FactValue[] };
  /** By feed; all facts above follow from these. */
  readonly words: { readonly [feed: string]: FeedReport };
  readonly baseline: Baseline;
  readonly told: CallRaised;
};

/**
 * The arrival that the actual one is measured by: `open` until it is fixed, `none` where the call became known too
 * late.
 */
export type Baseline =
  | { readonly kind: "open" }
  | { readonly kind: "fixed"; readonly at: CallTime }
  | { readonly kind: "none" };

/** What has been told of a call, or is never to be, so that nothing is told twice. */
export type CallRaised = {
  /** Which cancellation holds that has been told, or held when the call was first seen; null: none holds. */
  readonly cancelled: { readonly kind: "voyage" | "port_call" | "silent"; readonly sinceMs: number } | null;
  /** The departure that the next slip is counted from; null while none is known. */
  readonly departure: CallTime | null;
  /** The last UTC day on which a slip was told, `YYYY-MM-DD`. */
  readonly slippedOn: string | null;
  /** By cut-off code: the value that was last seen, and the least of the hours before it that has passed. */
  readonly cutOffs: {
    readonly [code: string]: { readonly ms: number; readonly reachedHours: number | null };
  };
};

/** Values kept of one fact. */
export const HISTORY_MAX = 20;

/** Feeds kept that tell of one call; a carrier has one of each kind. */
export const FEEDS_MAX = 8;

/** When it happens as far as is known: actual, else estimated, else planned. */
export function expectedTime({ actual, estimated, planned }: CallTimes): CallTime | null {
  return actual ?? estimated ?? planned;
}

/** The service as calls are kept by it: its code, else its name; empty while unknown. */
export function serviceOf({ service }: Pick<CallFacts, "service">): string {
  return service.code ?? service.name ?? "";
}

/** The voyage as calls are kept by it: on which the vessel leaves, else on which it came; empty while unknown. */
export function voyageOf({ voyage }: Pick<CallFacts, "voyage">): string {
  return voyage.export ?? voyage.import ?? "";
}
