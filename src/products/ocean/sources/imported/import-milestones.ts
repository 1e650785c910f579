/**
 * Milestones that an operator imports. Each statement is stored in the cell that a reference of it falls to, whether
 * anything is tracked by it or not, and shipments that are become due for re-evaluation.
 */
import { createHash } from "node:crypto";

import { DAY_MS, SECOND_MS } from "../../../../runtime/durations.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../../runtime/time-slices.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import { inCells } from "../../../../store/in-cells.ts";
import type { ReferenceIndex } from "../../../../freight/reference-index/reference-index.ts";
import { makeDueByMessage } from "../../../../freight/tracking/store/shipments-due.ts";
import { OCEAN_PRODUCT } from "../../ocean-product.ts";
import { upsertImportedMilestones, type NewImportedMilestone } from "../../store/imported-milestones.ts";
import type { ImportedStatement } from "./milestone.ts";

export type ImportPorts = {
  readonly database: Connection;
  readonly clock: Clock;
  readonly index: Pick<ReferenceIndex, "cellOf" | "cellsOf">;
};

/**
 * Longer than most boxes travel; a shipment's record keeps what it has ingested. 90 days after it came last, which is
 * noted once a day.
 */
export const IMPORTS_KEPT_MS = 91 * DAY_MS;

/** A cell that takes longer has failed. */
const CELL_MS_MAX = 20 * SECOND_MS;
/** Written or made due by one statement. */
const ROWS_MAX = 2_000;

export type StoredImport = {
  /** Statements that were stored before, or come twice. */
  readonly duplicates: number;
  /** All that the statements concern. */
  readonly references: readonly string[];
};

/** Durable once it resolves. Rejects if a cell takes nothing: part of it may be stored, and all is to come again. */
export async function storeImport(
  { database, clock, index }: ImportPorts,
  statements: readonly ImportedStatement[],
): Promise<StoredImport> {
  const nowMs = clock.nowMs();
  const rows = await runInSlices(rowsOf(statements, nowMs), clock);
  const added = new Set<string>();
  for (const some of inParts(rows)) {
    const placed = Map.groupBy(some, ({ reference }) => index.cellOf(reference));
    const { answers, failures } = await inCells(clock, [...placed.keys()], CELL_MS_MAX, (cell) =>
      upsertImportedMilestones(database, cell, placed.get(cell)!, nowMs),
    );
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    for (const digest of answers.flatMap((digests) => [...digests])) added.add(digest);
  }
  return {
    duplicates: statements.length - added.size,
    references: [...new Set(rows.map(({ reference }) => reference))],
  };
}

/** Makes tracked shipments due that an import concerns; the cells that have some. */
export async function makeImportedDue(
  { database, clock, index }: ImportPorts,
  references: readonly string[],
): Promise<readonly Cell[]> {
  const woken = new Set<Cell>();
  for (const some of inParts(references)) {
    const cells = await index.cellsOf(OCEAN_PRODUCT, some);
    const { failures } = await inCells(clock, cells, CELL_MS_MAX, async (cell) => {
      const due = await makeDueByMessage(database, cell, OCEAN_PRODUCT, some, clock.nowMs(), true);
      if (due > 0) woken.add(cell);
    });
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  }
  return [...woken];
}

function inParts<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / ROWS_MAX);
  return Array.from({ length: count }, (_, part) => items.slice(part * ROWS_MAX, (part + 1) * ROWS_MAX));
}

const STATEMENTS_PER_STEP = 100;

/** One for each reference of each statement; of one that comes several times, the last. */
function* rowsOf(
  statements: readonly ImportedStatement[],
  nowMs: number,
): SlicedWork<readonly NewImportedMilestone[]> {
  const rows = new Map<string, NewImportedMilestone>();
  for (const [count, { event, carrier, references, withdrawn }] of statements.entries()) {
    if (count % STATEMENTS_PER_STEP === 0) yield;
    const { createdAtMs, ...stated } = event;
    const statement = JSON.stringify({ ...stated, createdAtMs: null, carrier });
    const digest = createHash("sha256").update(statement).digest("hex");
    for (const reference of references)
      rows.set(`${digest} ${reference}`, {
        ...{ reference, digest, statement, withdrawn },
        statedAtMs: createdAtMs ?? nowMs,
      });
  }
  return [...rows.values()];
}
