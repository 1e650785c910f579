/** The reference index in the cells, and which of its parts are complete, in the directory. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { shipmentListKeys, type indexPartList } from "./reference-index.sql.ts";

/** The part of the index that a cell holds, by the cell's number. */
export type IndexPart = RowOf<typeof indexPartList>;

/** Shipments of a cell with what they are found by, in the order of their ids. */
export async function listShipmentKeys(db: Connection, cell: Cell, afterId: string, limit: number) {
  const rows = await shipmentListKeys(db, cell, { afterId, limit });
  return rows.map(({ id, product, reference, documents, vessels }) => ({
    id,
    product,
    references: [reference, ...otherKeys(documents?.split(",") ?? [], vessels?.split(",") ?? [])],
  }));
}

/** What a shipment is found by beside its reference: by its vessels only while it has no transport document. */
export function otherKeys(documents: readonly string[], imos: readonly string[]): readonly string[] {
  return documents.length > 0 ? documents : imos.map(vesselKey);
}

export function vesselKey(imo: string): string {
  return `IMO${imo}`;
}
