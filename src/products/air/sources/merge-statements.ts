import type { WaybillStatement } from "../timeline/air-event.ts";

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
    events: statements.flatMap(({ events }) => events),
  };
}
