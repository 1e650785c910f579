import type { CarrierEvent } from "./carrier-event.ts";

/** What a poll of a carrier for a reference returns. Every outside failure is an answer too. */
export type CarrierAnswer =
  | {
      readonly kind: "events";
      readonly events: readonly CarrierEvent[];
      readonly freeDays: readonly FreeDay[];
      readonly skipped: readonly SkippedEvent[];
      /** The `Date` of the answer, milliseconds since the epoch; null without one. */
      readonly dateMs: number | null;
      /** SHA-256 over all pages and the parser's version and settings. */
      readonly digest: Buffer;
    }
  /** The pages have the known digest and were not read again. */
  | { readonly kind: "same"; readonly digest: Buffer; readonly dateMs: number | null }
  /** The carrier does not know the reference, or not yet. */
  | { readonly kind: "not_found" }
  /** Our credentials are refused. `status` is that of the API or the token endpoint. */
  | { readonly kind: "not_permitted"; readonly status: number }
  | {
      readonly kind: "unavailable";
      /**
       * A short stable code: `http_503`, `timeout`, `connection`, `too_large`, `not_json` … `quota` and
       * `breaker_open` mean that no request was sent: they are no failure of this reference.
       */
      readonly reason: string;
      /** As the carrier asks, or until the quota or the breaker allows the next request. */
      readonly retryAfterMs: number | null;
    };

export type SkippedEvent = {
  /** Counted from 0 over all pages. */
  readonly index: number;
  readonly reason: string;
};

/** A last free day, `YYYY-MM-DD`; null equipment: of all boxes. */
export type FreeDay = { readonly equipment: string | null; readonly lastFreeDay: string };
