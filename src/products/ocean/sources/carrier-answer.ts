import type { Refusal } from "../../../freight/dcsa/pages.ts";
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
  | Refusal;

export type SkippedEvent = {
  /** Counted from 0 over all pages. */
  readonly index: number;
  readonly reason: string;
};

/** A last free day, `YYYY-MM-DD`; null equipment: of all boxes. */
export type FreeDay = { readonly equipment: string | null; readonly lastFreeDay: string };
