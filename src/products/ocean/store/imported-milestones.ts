/** What operators import of shipments, by the reference that it concerns. */
import { boolArray, byteaArray, textArray, timestampArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import * as sql from "./statements.ts";

export type NewImportedMilestone = {
  readonly reference: string;
  /** SHA-256 in hexadecimal of what is stated; in one batch no reference has the same twice. */
  readonly digest: string;
  readonly statedAtMs: number;
  readonly withdrawn: boolean;
  /** JSON. */
  readonly statement: string;
};

/** Keeps them, all or nothing; the digests of the new ones. */
export async function upsertImportedMilestones(
  db: Connection,
  cell: Cell,
  milestones: readonly NewImportedMilestone[],
  atMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql.importedMilestoneUpsert(cell), [
    textArray(milestones.map(({ reference }) => reference)),
    byteaArray(milestones.map(({ digest }) => Buffer.from(digest, "hex"))),
    timestampArray(milestones.map(({ statedAtMs }) => statedAtMs)),
    boolArray(milestones.map(({ withdrawn }) => withdrawn)),
    textArray(milestones.map(({ statement }) => statement)),
    new Date(atMs),
  ]);
  return new Set(rows.map(({ digest }) => digest.toString("hex")));
}

/** Read of one reference; a box that travels for months has some dozens of each source. */
const STATEMENTS_MAX = 1_000;

/** What was imported of references, withdrawn statements among it, the latest of each first. */
export function listImportedMilestones(db: Connection, cell: Cell, references: readonly string[]) {
  return db.rows(sql.importedMilestoneList(cell), [textArray(references), STATEMENTS_MAX]);
}

/** Deletes some of what came before `beforeMs`; true when there is more. */
export function pruneImportedMilestones(db: Connection, cell: Cell, beforeMs: number) {
  return pruneStep(db, sql.importedMilestonePrune(cell), new Date(beforeMs));
}
