import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { CarrierEvent } from "./carrier-event.ts";
import type { FreeDay } from "../record/shipment-record.ts";

/** What came of asking a carrier for a reference. Whatever goes wrong outside is an answer too. */
export type CarrierAnswer =
  | {
      readonly kind: "events";
      readonly events: readonly CarrierEvent[];
      /** Last free days that the carrier states. */
      readonly freeDays: readonly FreeDay[];
      readonly skipped: readonly SkippedEvent[];
      /** The `Date` of the answer, milliseconds since the epoch; null where it has none. */
      readonly dateMs: number | null;
      /** SHA-256 over all pages and what they were read by: the same again says nothing new. */
      readonly digest: Buffer;
    }
  /** All pages are those that had the digest given as known; they have not been read again. */
  | { readonly kind: "same"; readonly digest: Buffer; readonly dateMs: number | null }
  /** `not_found`: not yet, or it is another carrier's. `quota` and `breaker_open` count as no failure of the reference. */
  | NoAnswer;

export type SkippedEvent = {
  /** The event's place in the answer, counted from 0 over all pages. */
  readonly index: number;
  readonly reason: string;
};
