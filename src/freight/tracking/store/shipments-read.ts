/** Tracked shipments as they are read: one, an account's list, and what is known of a container number. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { PageRequest } from "../../../model/page-request.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { ShipmentOwner } from "./shipments.ts";
import type { shipmentInsert } from "./shipments.sql.ts";
import {
  shipmentFindOwner,
  shipmentGet,
  shipmentGetByReference,
  shipmentList,
  shipmentListByAttention,
  shipmentListByCarrier,
  shipmentListByReference,
  shipmentListByStatus,
  shipmentListOwners,
  shipmentLookup,
  shipmentPositions,
} from "./shipments.sql.ts";

/**
 * A shipment as lists show it. `carrier` and `refreshedAt`, the time of its last answer, are null until one has
 * answered; `failure` is why the last poll had no answer.
 */
export type StoredShipment = Omit<RowOf<typeof shipmentInsert>, "created">;

/** With its `record`, JSON, null until a carrier has answered; a null `nextPollAt` ends polling. */
export type DetailedShipment = RowOf<typeof shipmentGet>;

/** Null where the filter is not asked for. */
export type ShipmentFilter = {
  /** As normalised. */
  readonly reference: string | null;
  /** The carrier found, else the hint. Without a reference it needs statuses beside it. */
  readonly carrier: string | null;
  readonly statuses: readonly string[] | null;
  /** Only shipments that somebody should act on. */
  readonly isAttention?: boolean;
};

export async function getShipment(db: Connection, cell: Cell, owner: ShipmentOwner, id: string) {
  return await shipmentGet(db, cell, { accountId: owner.accountId, product: owner.product, id });
}

/** `reference` is as normalised: at most one shipment has it. */
export function getShipmentByReference(
  db: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  reference: string,
): Promise<DetailedShipment | null> {
  return shipmentGetByReference(db, cell, { accountId, product, reference });
}

/** Sorts behind every id there is, where a list begins at its newest. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * An account's shipments, newest first, from the one after `afterId` on. Each filter has a statement that reads
 * along an index of its own (migration 006), the narrowest first.
 */
export function listShipments(
  db: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  { reference, carrier, statuses, isAttention = false }: ShipmentFilter,
  { afterId, limit }: PageRequest,
): Promise<readonly StoredShipment[]> {
  const page = { accountId, product, afterId: afterId ?? LAST_ID, limit };
  if (isAttention) return shipmentListByAttention(db, cell, { ...page, reference, carrier, statuses });
  if (reference !== null) return shipmentListByReference(db, cell, { ...page, reference, carrier, statuses });
  if (carrier !== null) return shipmentListByCarrier(db, cell, { ...page, carrier, statuses });
  if (statuses !== null) return shipmentListByStatus(db, cell, { ...page, statuses });
  return shipmentList(db, cell, page);
}

/** Shipments of an account that are counted: more stand on no map. */
const PLACED_MAX = 200_000;
export const POSITIONS_MAX = 1_000;
/** Shipments that a position names. */
const NAMED_MAX = 5;

/** The positions with the most shipments, each with its newest shipments; a row for each of these. */
export function readPositions(db: Connection, cell: Cell, { accountId, product }: ShipmentOwner) {
  return shipmentPositions(db, cell, {
    accountId,
    product,
    placedMax: PLACED_MAX,
    positionsMax: POSITIONS_MAX,
    namedMax: NAMED_MAX,
  });
}

/** Whose shipment an id is; null when no account of the cell has it. */
export async function findShipmentOwner(db: Connection, cell: Cell, id: string) {
  return (await shipmentFindOwner(db, cell, id))?.account_id ?? null;
}

/** The shipments of a cell with a normalised reference: at most `limit`. */
export function findShipmentOwners(
  db: Connection,
  cell: Cell,
  product: string,
  reference: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly accountId: string }[]> {
  return shipmentListOwners(db, cell, { reference, product, limit });
}

/** The record, JSON, and time of the last answer about a reference that any account of the cell tracks; null: none. */
export function lookupReference(db: Connection, cell: Cell, product: string, reference: string) {
  return shipmentLookup(db, cell, { reference, product });
}
