/** An event of one box before it carries the names of its shipment. */
import { HOUR_MS } from "../../../runtime/durations.ts";
import type { AlreadyRaised } from "../record/shipment-record.ts";

export type Draft = {
  readonly type: string;
  readonly data: object;
  /** Unique among the events of the box; null: the event may repeat. */
  readonly key: string | null;
};

/** Events to raise, and what has been raised with them. */
export type EventDrafts = { readonly drafts: readonly Draft[]; readonly raised: AlreadyRaised };

/** To two decimals. */
export function hoursOf(ms: number): number {
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
