import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";

/** The result of polling an airline for a waybill; every outside failure is an answer, too. */
export type AirlineAnswer =
  | {
      readonly kind: "statement";
      readonly statement: WaybillStatement;
      /** Parts of the answer that could not be used, each with its place. */
      readonly problems: readonly string[];
      /** The `Date` of the answer, milliseconds since the epoch; null without one. */
      readonly dateMs: number | null;
      /** SHA-256 over the answer and the version of its reader. */
      readonly digest: Buffer;
    }
  /** The answer has the known digest and was not parsed again. */
  | { readonly kind: "unchanged"; readonly digest: Buffer; readonly dateMs: number | null }
  | NoAnswer;
