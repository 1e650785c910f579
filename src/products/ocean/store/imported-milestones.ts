/** What operators import of shipments, by the reference that it concerns. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { importedMilestoneUpsert } from "./imported-milestones.sql.ts";

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
  const rows = await importedMilestoneUpsert(db, cell, {
    milestones: milestones.map(({ digest, statedAtMs, ...one }) => ({
      ...one,
      digest: Buffer.from(digest, "hex"),
      statedAt: statedAtMs,
    })),
    at: atMs,
  });
  return new Set(rows.map(({ digest }) => digest.toString("hex")));
}
