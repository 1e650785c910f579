/**
 * A vessel's call at a port, as all feeds together report it: what is stored, shown and compared with the next
 * statement. Times are milliseconds since the epoch.
 */
import type { CallStatement, CallTime, CallTimes, CutOff } from "./call-statement.ts";

/** What is known of a call; null: no feed has said. */
export type CallFacts = Omit<CallStatement, "carrier" | "port" | "cutOffs"> & {
  readonly cutOffs: readonly CutOff[];
};

/** Facts whose former values are kept. */
export type TrackedFact =
  | "vessel"
  | "terminal"
  | "status"
  | `${"arrival" | "departure"}.${keyof CallTimes}`
  | `cutOff.${string}`;

/** A fact's value, and since when it has had it. */
export type FactValue = { readonly value: unknown; readonly sinceMs: number };

/** What one feed last said of the call, fact by fact. */
export type FeedReport = {
  readonly said: { readonly [fact: string]: FactValue };
  /** Since when complete fetches of the feed leave the call out; null: they list it. */
  readonly goneMs: number | null;
  /** While they leave it out, how far that shows that it is gone; absent in older records: wholly. */
  readonly absence?: Absence;
  /** Whether the feed has complete fetches, so that it would show that the call is gone. */
  readonly isComplete: boolean;
};

export type Absence = {
  /** One of the fetches certainly covers the call: it has not moved out of the requested time. */
  readonly isSure: boolean;
  /** A later fetch leaves it out as well. */
  readonly isRepeated: boolean;
};

export type CallRecord = CallFacts & {
  readonly id: string;
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODE. */
  readonly port: string;
  /** Tells calls of one voyage at one port apart, from 1 in the order in which they became known. */
  readonly nth: number;
  readonly firstSeenMs: number;
  /** Since when the call counts as gone: every complete feed leaves it out for certain (absence.ts). */
  readonly goneMs: number | null;
  /** How another call of the voyage cancels the voyage on which the vessel leaves; null: it stands. */
  readonly voyageStatus?: VoyageStatus | null;
  /** When the cancellation of the call or its voyage was last withdrawn; null: none was, or another holds. */
  readonly reinstatedMs?: number | null;
  /**
   * The values of facts that have changed, oldest first, the present one last, {@link HISTORY_MAX} at most. A fact that
   * is absent has had its value since `firstSeenMs`.
   */
  readonly history: { readonly [fact in TrackedFact]?: readonly FactValue[] };
  /** By feed; the facts above follow from these. */
  readonly reports: { readonly [feed: string]: FeedReport };
  readonly baseline: Baseline;
  readonly raised: CallRaised;
};

/** The arrival that the actual one is measured by; `open`: not fixed yet, `none`: the call became known too late. */
export type Baseline =
  | { readonly kind: "open" }
  | { readonly kind: "fixed"; readonly at: CallTime }
  | { readonly kind: "none" };

/** The events that were raised for a call, or never will be, so that none is raised twice. */
export type CallRaised = {
  /** The cancellation that holds; `silent`: it held when the call was first seen; null: none holds. */
  readonly cancelled: { readonly kind: "voyage" | "port_call" | "silent"; readonly sinceMs: number } | null;
  /** The departure that the next slip is counted from; null: none is known. */
  readonly departure: CallTime | null;
  /** The last UTC day on which a slip was raised, `YYYY-MM-DD`. */
  readonly slippedOn: string | null;
  /** By cut-off code: its last time, and the least of the warning hours that has passed. */
  readonly cutOffs: {
    readonly [code: string]: { readonly ms: number; readonly reachedHours: number | null };
  };
};

/** Values kept of one fact. */
export const HISTORY_MAX = 20;

/** Feeds whose reports of one call are kept; a carrier has one of each kind. */
export const FEEDS_MAX = 8;

/** The best known time: actual, else estimated, else planned. */
export function expectedTime({ actual, estimated, planned }: CallTimes): CallTime | null {
  return actual ?? estimated ?? planned;
}

/** When it leaves, else arrives, else became known. */
export function callsAtMs({ arrival, departure, firstSeenMs }: CallRecord): number {
  return (expectedTime(departure) ?? expectedTime(arrival))?.ms ?? firstSeenMs;
}

/** The service's code, else its name; empty while unknown. */
export function serviceOf({ service }: Pick<CallFacts, "service">): string {
  return service.code ?? service.name ?? "";
}

/** The voyage on which the vessel leaves, else on which it came; empty while unknown. */
export function voyageOf({ voyage }: Pick<CallFacts, "voyage">): string {
  return voyage.export ?? voyage.import ?? "";
}

export type VoyageStatus = "BLNK" | "SLID";

/** Which the call's own status cancels its voyage with; null: it does not. */
export function statedVoyageStatus(record: CallRecord): VoyageStatus | null {
  if (isMade(record)) return null;
  return record.status === "BLNK" || record.status === "SLID" ? record.status : null;
}

/** `voyage`: none of its calls is made; `port_call`: this one is not; null: the call stands, or was made. */
export type Cancellation = "voyage" | "port_call" | null;

/** A call at which the vessel arrives on another voyage stands while its export voyage is cancelled elsewhere. */
export function cancellationOf(record: CallRecord): Cancellation {
  if (isMade(record)) return null;
  if (statedVoyageStatus(record) !== null) return "voyage";
  if (record.status === "OMIT" || record.goneMs !== null) return "port_call";
  return (record.voyageStatus ?? null) !== null && isWhollyOnVoyage(record) ? "voyage" : null;
}

/** The same of the vessel's departure. */
export function departureCancellationOf(record: CallRecord): Cancellation {
  const hasVoyage = (record.voyageStatus ?? null) === null || record.departure.actual !== null;
  return cancellationOf(record) ?? (hasVoyage ? null : "voyage");
}

/** The vessel also comes on the voyage on which it leaves, as far as is known. */
export function isWhollyOnVoyage({ voyage }: Pick<CallFacts, "voyage">): boolean {
  return voyage.import === null || voyage.export === null || voyage.import === voyage.export;
}

/** An actual time outweighs every status. */
export function isMade({ arrival, departure }: CallRecord): boolean {
  return arrival.actual !== null || departure.actual !== null;
}
