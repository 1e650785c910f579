import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";

/** What came of asking an airline for a waybill. Whatever goes wrong outside is an answer too. */
export type AirlineAnswer =
  | {
      readonly kind: "statement";
      readonly statement: WaybillStatement;
      /** What of the answer could not be used, each with its place. */
      readonly problems: readonly string[];
      /** The `Date` of the answer, milliseconds since the epoch; null where it has none. */
      readonly dateMs: number | null;
      /** SHA-256 over the answer and what it was read by: the same again says nothing new. */
      readonly digest: Buffer;
    }
  /** The answer is the one that had the digest given as known; it has not been read again. */
  | { readonly kind: "unchanged"; readonly digest: Buffer; readonly dateMs: number | null }
  | NoAnswer;
