/** Tracked shipments as clients start, recheck and delete them; their polls are in polls.ts. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { requireOpen } from "../../../store/accounts/accounts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { shipmentCountUnresolved, shipmentDelete, shipmentInsert, shipmentRecheck } from "./shipments.sql.ts";

/** Sorts before everything that is merely due. */
export const AT_ONCE = new Date(0);

/** An account and the product with which it tracks. */
export type ShipmentOwner = { readonly product: string; readonly accountId: string };

export type NewShipment = ShipmentOwner & {
  readonly id: string;
  readonly reference: string;
  readonly identifierType: string | null;
  readonly carrierHint: string | null;
  readonly atMs: number;
  /** The source that is polled first; empty while its carrier is unknown. */
  readonly source: string;
  /** Polled before all that is merely due: a client waits for it. */
  readonly isUrgent: boolean;
  /** Its other references, JSON; absent or null: none is said. */
  readonly given?: string | null;
};

/** Stores a shipment, due at once, or finds the one that the account has of this reference. */
export async function insertOrGetShipment(db: Connection, cell: Cell, shipment: NewShipment) {
  const { accountId, reference, atMs, isUrgent } = shipment;
  const row = { given: null, ...shipment, at: atMs, dueAt: isUrgent ? AT_ONCE : atMs };
  // An insert that waited for another one's commit sees that row in its second try, not in its first.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const found = await shipmentInsert(db, cell, row);
    if (found === null) continue;
    const { created, ...stored } = found;
    return { created, shipment: stored };
  }
  await requireOpen(db, cell, accountId);
  throw new Error(`shipment ${reference} is neither there nor new`);
}

/** The statuses of a shipment that nobody has answered for: not polled yet, and known to no source. */
const UNRESOLVED = ["pending", "unknown"];
/** What is unresolved for longer counts no more: it is hardly polled. */
const UNRESOLVED_MS = 14 * DAY_MS;

/** Whether an account has as many unresolved shipments of a product as it may; those started at once may pass. */
export async function hasTooManyUnresolved(
  db: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  unresolvedMax: number,
  atMs: number,
) {
  const since = new Date(atMs - UNRESOLVED_MS);
  const counted = await shipmentCountUnresolved(db, cell, {
    accountId,
    product,
    statuses: UNRESOLVED,
    since,
    unresolvedMax,
  });
  return counted.count >= unresolvedMax;
}

/** Makes a shipment due before all others. False: the account has no such shipment. */
export async function recheckShipment(db: Connection, cell: Cell, owner: ShipmentOwner, id: string) {
  const rechecked = await shipmentRecheck(db, cell, {
    accountId: owner.accountId,
    product: owner.product,
    id,
    atOnce: AT_ONCE,
  });
  if (rechecked.length === 0) await requireOpen(db, cell, owner.accountId);
  return rechecked.length > 0;
}

/**
 * Takes a shipment away; what was raised of it stays. A running poll finds no row to write to, and
 * raises nothing. False: the account has no such shipment.
 */
export async function deleteShipment(db: Connection, cell: Cell, owner: ShipmentOwner, id: string) {
  const deleted = await shipmentDelete(db, cell, { accountId: owner.accountId, product: owner.product, id });
  if (deleted.length === 0) await requireOpen(db, cell, owner.accountId);
  return deleted.length > 0;
}
