/** Reads what was imported of a shipment; reads that come together share one statement. */
import { SECOND_MS } from "../../../../runtime/durations.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { createBatch, type BatchBounds } from "../../../../engine/batch-writer.ts";
import type { ReferenceIndex } from "../../../../freight/reference-index/reference-index.ts";
import type { Connection } from "../../../../store/database.ts";
import { within } from "../../../../store/in-cells.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import { IMPORTS_KEPT_MS } from "./import-milestones.ts";
import type { StoredStatement } from "./merge.ts";
import { importedMilestoneList } from "../../store/imported-milestones.sql.ts";
import { perCell } from "../../../../store/per-cell.ts";
import type { RowOf } from "../../../../store/sql.ts";

export type ReadImported = (references: readonly string[]) => Promise<{
  readonly statements: readonly StoredStatement[];
  /** Why some could not be read. */
  readonly failures: readonly unknown[];
}>;

/** A cell that takes longer has failed. */
const CELL_MS_MAX = 5 * SECOND_MS;

/** Read of one reference; a box that travels for months has some dozens of each source. */
const STATEMENTS_MAX = 1_000;

type Row = RowOf<typeof importedMilestoneList>;

export function createImportedReader(
  {
    database,
    index,
    clock,
  }: {
    readonly database: Connection;
    readonly index: Pick<ReferenceIndex, "cellsSince">;
    readonly clock: Clock;
  },
  batches: BatchBounds,
): ReadImported {
  const readerOf = perCell((cell) =>
    createBatch<string, readonly Row[]>({ ...batches, gatherMs: 0 }, clock, async (references) => {
      const wanted = { references: [...new Set(references)], statementsMax: STATEMENTS_MAX };
      const rows = await importedMilestoneList(database, cell, wanted);
      const byReference = Map.groupBy(rows, ({ reference }) => reference);
      return references.map((one) => byReference.get(one) ?? []);
    }),
  );
  return async (references) => {
    const sinceMs = clock.nowMs() - IMPORTS_KEPT_MS;
    const reads = references.flatMap((reference) =>
      index
        .cellsSince(reference, sinceMs)
        .map((cell) => within(clock, CELL_MS_MAX, readerOf(cell)(reference))),
    );
    const ended = await Promise.allSettled(reads);
    const rows = ended.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    return {
      statements: statementsIn(rows),
      failures: ended.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : [])),
    };
  };
}

/** A statement lies under each of its references, and is one. */
function statementsIn(rows: readonly Row[]): readonly StoredStatement[] {
  const once = new Map(rows.map((row) => [row.statement, row]));
  return [...once.values()].map(({ statement, statedAt, withdrawn }) => {
    const { carrier, ...event } = JSON.parse(statement) as CarrierEvent & Pick<StoredStatement, "carrier">;
    return { event: { ...event, createdAtMs: statedAt.getTime() }, carrier, withdrawn };
  });
}
