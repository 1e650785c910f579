/** Tracked shipments as they are read: one, an account's list, and what is known of a container number. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { PageRequest } from "../../../model/page-request.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { ShipmentOwner } from "./shipments.ts";
import {
  shipmentList,
  shipmentListByAttention,
  shipmentListByCarrier,
  shipmentListByReference,
  shipmentListByStatus,
  type shipmentGet,
  type shipmentInsert,
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

/** Of a map: how many shipments are counted, how many positions with the most of them are shown, and how many each names. */
export const MAP_BOUNDS = { placedMax: 200_000, positionsMax: 1_000, namedMax: 5 };

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
