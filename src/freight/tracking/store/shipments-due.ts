import { textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

/** Sorts before everything that is merely due. */
const AT_ONCE = new Date(0);

/**
 * Makes the shipments due before all others that have one of these references, as normalised, or that the
 * carrier has named one of for a paper of theirs, and are this carrier's or may be. Returns how many; to do it twice does no harm.
 */
export async function makeDueByReference(
  connection: Connection,
  cell: Cell,
  product: string,
  carrier: string,
  references: readonly string[],
): Promise<number> {
  const rows = await connection.rows(sql.shipmentDueByReference(cell), [
    textArray(references),
    carrier,
    AT_ONCE,
    product,
  ]);
  return rows.length;
}

/** Shipments that one callback makes due by their vessel; the largest ships carry some 10,000 boxes of all lines. */
const ABOARD_MAX = 1_000;

/**
 * Makes the shipments of a carrier due before all others that are aboard of one of these vessels, by IMO
 * number, and whose papers the carrier has never named. Returns how many.
 */
export async function makeDueByVessel(
  connection: Connection,
  cell: Cell,
  product: string,
  carrier: string,
  imos: readonly string[],
): Promise<number> {
  const rows = await connection.rows(sql.shipmentDueByVessel(cell), [
    textArray(imos),
    carrier,
    AT_ONCE,
    product,
    ABOARD_MAX,
  ]);
  return rows.length;
}

/**
 * Has the shipments of these references looked at for news that their carrier need not be asked for; those
 * that it has never answered for are due before all others. Returns how many.
 */
export async function makeDueByMessage(
  connection: Connection,
  cell: Cell,
  product: string,
  references: readonly string[],
  atMs: number,
): Promise<number> {
  // One after the other: together they would lock shipments before polls, and savers lock polls first.
  const given = [product, textArray(references)] as const;
  // In this order, none is missed whose first answer comes between the two.
  const first = await connection.rows(sql.shipmentDueByFirstMessage(cell), [...given, AT_ONCE]);
  const told = await connection.rows(sql.shipmentDueByMessage(cell), [...given, new Date(atMs)]);
  return told.length + first.length;
}
