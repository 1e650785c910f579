/** Tracked shipments as they are read: one, an account's list, and what is known of a container number. */
import { textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { ShipmentOwner } from "./shipments.ts";
import * as sql from "./statements.ts";

/** A shipment as lists show it. */
export type StoredShipment = {
  readonly id: string;
  readonly reference: string;
  readonly identifierType: string | null;
  readonly carrierHint: string | null;
  /** The carrier that knows the reference; null until one has answered. */
  readonly carrier: string | null;
  readonly status: string;
  readonly eta: Date | null;
  /** Why the last refresh had no answer. */
  readonly failure: string | null;
  /** The last answer. */
  readonly refreshedAt: Date | null;
  readonly createdAt: Date;
};

export type DetailedShipment = StoredShipment & {
  /** JSON; null until a carrier has answered. */
  readonly record: string | null;
  /** Null: polling has come to its end. */
  readonly nextPollAt: Date | null;
};

/** A record, JSON, and when its carrier gave the last answer. */
export type DatedRecord = { readonly record: string; readonly refreshedAt: Date };

/** Null where the filter is not asked for. */
export type ShipmentFilter = {
  /** As normalised. */
  readonly reference: string | null;
  /** The carrier found, else the hint. Without a reference it needs statuses beside it. */
  readonly carrier: string | null;
  readonly statuses: readonly string[] | null;
};

export async function getShipment(
  connection: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  id: string,
): Promise<DetailedShipment | null> {
  const [row] = await connection.rows(sql.shipmentGet(cell), [accountId, product, id]);
  return row ?? null;
}

/** `reference` is as normalised: at most one shipment has it. */
export async function getShipmentByReference(
  connection: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  reference: string,
): Promise<DetailedShipment | null> {
  const [row] = await connection.rows(sql.shipmentGetByReference(cell), [accountId, product, reference]);
  return row ?? null;
}

/** Sorts behind every id there is, where a list begins at its newest. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * An account's shipments, newest first, from the one after `afterId` on. Each filter has a statement that reads
 * along an index of its own (migration 006), the narrowest first.
 */
export function listShipments(
  connection: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  { reference, carrier, statuses }: ShipmentFilter,
  { afterId, limit }: { readonly afterId: string | null; readonly limit: number },
): Promise<readonly StoredShipment[]> {
  const page = [accountId, afterId ?? LAST_ID, limit, product] as const;
  const wanted = statuses === null ? null : textArray(statuses);
  if (reference !== null)
    return connection.rows(sql.shipmentListByReference(cell), [...page, reference, carrier, wanted]);
  if (carrier !== null) return connection.rows(sql.shipmentListByCarrier(cell), [...page, carrier, wanted]);
  if (wanted !== null) return connection.rows(sql.shipmentListByStatus(cell), [...page, wanted]);
  return connection.rows(sql.shipmentList(cell), page);
}

/** Whose shipment an id is; null when no account of the cell has it. */
export async function findShipmentOwner(
  connection: Connection,
  cell: Cell,
  id: string,
): Promise<string | null> {
  const [row] = await connection.rows(sql.shipmentFindOwner(cell), [id]);
  return row?.account_id ?? null;
}

/** Who of a cell tracks a reference, as normalised: `limit` at most. */
export function findShipmentOwners(
  connection: Connection,
  cell: Cell,
  product: string,
  reference: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly accountId: string }[]> {
  return connection.rows(sql.shipmentListOwners(cell), [reference, product, limit]);
}

/** What was learnt last of a reference that anybody in the cell tracks with this product; null when nothing is known. */
export async function lookupReference(
  connection: Connection,
  cell: Cell,
  product: string,
  reference: string,
): Promise<DatedRecord | null> {
  const [row] = await connection.rows(sql.shipmentLookup(cell), [reference, product]);
  return row ?? null;
}
