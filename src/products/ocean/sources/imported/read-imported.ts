/** Reads what was imported of a shipment; reads that come together share one statement. */
import { SECOND_MS } from "../../../../runtime/durations.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { createBatch, type BatchBounds } from "../../../../engine/batch-writer.ts";
import type { ReferenceIndex } from "../../../../freight/reference-index/reference-index.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import { within } from "../../../../store/in-cells.ts";
import { listImportedMilestones } from "../../store/imported-milestones.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import { IMPORTS_KEPT_MS } from "./import-milestones.ts";
import type { StoredStatement } from "./merge.ts";

export type ReadImported = (references: readonly string[]) => Promise<{
  readonly statements: readonly StoredStatement[];
  /** Why some could not be read. */
  readonly failures: readonly unknown[];
}>;

/** A cell that takes longer has failed. */
const CELL_MS_MAX = 5 * SECOND_MS;

type Row = Awaited<ReturnType<typeof listImportedMilestones>>[number];

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
  const readers = new Map<Cell, (reference: string) => Promise<readonly Row[]>>();
  const readerOf = (cell: Cell) => {
    const known = readers.get(cell);
    if (known !== undefined) return known;
    const reader = createBatch<string, readonly Row[]>(
      { ...batches, gatherMs: 0 },
      clock,
      async (references) => {
        const rows = await listImportedMilestones(database, cell, [...new Set(references)]);
        const byReference = Map.groupBy(rows, ({ reference }) => reference);
        return references.map((one) => byReference.get(one) ?? []);
      },
    );
    readers.set(cell, reader);
    return reader;
  };
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
