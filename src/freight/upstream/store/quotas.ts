/**
 * What all nodes know of the quotas of outside APIs: the turns that are leased, and pauses. Times are milliseconds
 * of the nodes' shared time.
 */
import type { RowOf } from "../../../store/sql.ts";
import type { upstreamLimitLease, upstreamLimitList } from "./upstream.sql.ts";

/** Turns of one limit of a source, wanted. */
export type TurnsWanted = {
  readonly source: string;
  readonly windowMs: number;
  readonly intervalMs: number;
  /** How long before its turn a request may leave. */
  readonly earlyMs: number;
  /** No turn is before it. */
  readonly notBeforeMs: number;
  readonly turns: number;
  /** Nothing is leased where the first request would leave later than this from now on. */
  readonly waitMsMax: number;
  /** What would leave later than this is not leased beside the first. */
  readonly aheadMs: number;
};

/**
 * The turns from `fromMs` up to `toMs`; none where both are the same, and the next request may leave at `leavesAt`.
 * `isShared`: another node asked for turns of the limit not long ago.
 */
export type LeasedTurns = RowOf<typeof upstreamLimitLease>;

/** How long a node that asked for turns counts as one to share with. */
export const SHARED_MS = 10_000;

export type KnownLimit = RowOf<typeof upstreamLimitList>;
