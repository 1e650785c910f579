/** What a source of an airline is asked, and what it answers. */
import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import { numberCopies } from "../timeline/timeline.ts";

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

/** For one waybill. */
export type SourceRequest<Source> = {
  readonly source: Source;
  /** Eleven digits. */
  readonly awb: string;
  /** Of the answer read last. */
  readonly knownDigest: Buffer | null;
};

type FactName = "origin" | "destination" | "pieces" | "weightKg";

/** Several statements about a waybill as one. Of a fact that more than one gives, the first or the last counts. */
export function mergeStatements(
  awb: string,
  statements: readonly WaybillStatement[],
  counts: "first" | "last",
): WaybillStatement {
  const inOrder = counts === "first" ? statements : statements.toReversed();
  const fact = <Name extends FactName>(name: Name): WaybillStatement[Name] | null =>
    inOrder.map((statement) => statement[name]).find((value) => value !== null) ?? null;
  return {
    awb,
    origin: fact("origin"),
    destination: fact("destination"),
    pieces: fact("pieces"),
    weightKg: fact("weightKg"),
    events: statements.flatMap(({ events }) => numberCopies(events)),
  };
}
