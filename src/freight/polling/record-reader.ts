/** Reads stored records; reads that come together share one statement. */
import { createBatch, type BatchBounds } from "../../engine/batch-writer.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { perCell } from "../../store/per-cell.ts";
import { readShipmentRecords } from "./store/polls.ts";

/** JSON; null until a carrier has answered. */
export type ReadRecord = (cell: Cell, shipment: { readonly id: string }) => Promise<string | null>;

export function createRecordReader(
  { database, clock }: { readonly database: Connection; readonly clock: Clock },
  batches: BatchBounds,
): ReadRecord {
  const readerOf = perCell((cell) =>
    createBatch<string, string | null>({ ...batches, gatherMs: 0 }, clock, async (ids) => {
      const records = await readShipmentRecords(database, cell, ids);
      return ids.map((one) => records.get(one) ?? null);
    }),
  );
  return (cell, { id }) => readerOf(cell)(id);
}
