/** The reference index in the cells, and which of its parts are complete, in the directory. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { indexPartList, referenceIndexListOld } from "./reference-index.sql.ts";
import {
  indexPartClaim,
  indexPartComplete,
  referenceIndexAdd,
  referenceIndexFind,
  referenceIndexRemove,
  shipmentListKeys,
  shipmentTrackedKeys,
} from "./reference-index.sql.ts";

/** The part of the index that a cell holds, by the cell's number. */
export type IndexPart = RowOf<typeof indexPartList>;

/** What a shipment is found by: its reference, a transport document, or a vessel (`vesselKey`). */
export type IndexKey = { readonly product: string; readonly reference: string };

/** `number`: of a cell that tracks it. */
export type IndexEntry = RowOf<typeof referenceIndexListOld>;

/**
 * Claims the parts of cells that have joined that are incomplete or were filled before `filledMs`, and that missed
 * nothing since `settledMs`; no other node does so before `untilMs`.
 */
export function claimParts(
  db: Connection,
  directory: Cell,
  times: Readonly<Record<"atMs" | "untilMs" | "settledMs" | "filledMs", number>>,
) {
  const { atMs, untilMs, settledMs, filledMs } = times;
  return indexPartClaim(db, directory, {
    at: new Date(atMs),
    until: new Date(untilMs),
    settled: new Date(settledMs),
    filled: new Date(filledMs),
  });
}

export type ClaimedPart = RowOf<typeof indexPartClaim>;

/** All that was tracked or missed before the claim, at `atMs`, is in the index now. */
export async function completePart(
  db: Connection,
  directory: Cell,
  { number, misses }: ClaimedPart,
  atMs: number,
): Promise<void> {
  await indexPartComplete(db, directory, { number, misses: Number(misses), at: atMs });
}

/** Adds entries to a cell's part, verified now. */
export async function addEntries(db: Connection, part: Cell, entries: readonly IndexEntry[], atMs: number) {
  await referenceIndexAdd(db, part, { entries, at: atMs });
}

/** The numbers of the cells that track one of the references, by a cell's part. */
export async function findCells(db: Connection, part: Cell, product: string, references: readonly string[]) {
  const rows = await referenceIndexFind(db, part, { product, references });
  return rows.map(({ number }) => number);
}

/** Removes those of the entries that have not been verified since `beforeMs`. */
export async function removeEntries(
  db: Connection,
  part: Cell,
  entries: readonly IndexEntry[],
  beforeMs: number,
): Promise<void> {
  await referenceIndexRemove(db, part, { entries, before: beforeMs });
}

/** Shipments of a cell with what they are found by, in the order of their ids. */
export async function listShipmentKeys(db: Connection, cell: Cell, afterId: string, limit: number) {
  const rows = await shipmentListKeys(db, cell, { afterId, limit });
  return rows.map(({ id, product, reference, documents, vessels }) => ({
    id,
    product,
    references: [reference, ...otherKeys(documents?.split(",") ?? [], vessels?.split(",") ?? [])],
  }));
}

/** Those of the keys by which the cell tracks a shipment. */
export function listTrackedKeys(
  db: Connection,
  cell: Cell,
  keys: readonly IndexKey[],
): Promise<readonly IndexKey[]> {
  return shipmentTrackedKeys(db, cell, keys);
}

/** What a shipment is found by beside its reference: by its vessels only while it has no transport document. */
export function otherKeys(documents: readonly string[], imos: readonly string[]): readonly string[] {
  return documents.length > 0 ? documents : imos.map(vesselKey);
}

export function vesselKey(imo: string): string {
  return `IMO${imo}`;
}
