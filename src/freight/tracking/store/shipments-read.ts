/** Tracked shipments as they are read: one, an account's list, and what is known of a container number. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { ShipmentOwner } from "./shipments.ts";
import type { Statement } from "../../../store/sql.ts";
import { statement } from "../../../store/sql.ts";

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
  /** The carrier found, else the hint. */
  readonly carrier: string | null;
  readonly statuses: readonly string[] | null;
};

export type ShipmentRow = {
  readonly id: string;
  readonly reference: string;
  readonly identifier_type: string | null;
  readonly carrier_hint: string | null;
  readonly carrier: string | null;
  readonly status: string;
  readonly eta: Date | null;
  readonly failure: string | null;
  readonly refreshed_at: Date | null;
  readonly created_at: Date;
};

type DetailRow = ShipmentRow & { readonly record: string | null; readonly next_poll_at: Date | null };

export async function getShipment(
  connection: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  id: string,
): Promise<DetailedShipment | null> {
  const [row] = await connection.rows<DetailRow>(statement("shipment_get", cell), [accountId, product, id]);
  return row === undefined ? null : detailedShipment(row);
}

/** `reference` is as normalised: at most one shipment has it. */
export async function getShipmentByReference(
  connection: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  reference: string,
): Promise<DetailedShipment | null> {
  const one = statement("shipment_get_by_reference", cell);
  const [row] = await connection.rows<DetailRow>(one, [accountId, product, reference]);
  return row === undefined ? null : detailedShipment(row);
}

function detailedShipment(row: DetailRow): DetailedShipment {
  return { ...storedShipment(row), record: row.record, nextPollAt: row.next_poll_at };
}

/** Sorts behind every id there is, where a list begins at its newest. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** An account's shipments, newest first, from the one after `afterId` on. */
export async function listShipments(
  connection: Connection,
  cell: Cell,
  { accountId, product }: ShipmentOwner,
  filter: ShipmentFilter,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<readonly StoredShipment[]> {
  const { afterId, limit } = page;
  const { one, parameters } = listStatement(cell, filter);
  const listed = [accountId, afterId ?? LAST_ID, limit, product, ...parameters];
  const rows = await connection.rows<ShipmentRow>(one, listed);
  return rows.map(storedShipment);
}

/** Each filter has a statement that reads along an index of its own (migration 006), the narrowest first. */
function listStatement(
  cell: Cell,
  { reference, carrier, statuses }: ShipmentFilter,
): { readonly one: Statement; readonly parameters: readonly unknown[] } {
  if (reference !== null) {
    return {
      one: statement("shipment_list_by_reference", cell),
      parameters: [reference, carrier, statuses],
    };
  }
  if (carrier !== null) {
    return { one: statement("shipment_list_by_carrier", cell), parameters: [carrier, statuses] };
  }
  if (statuses !== null) return { one: statement("shipment_list_by_status", cell), parameters: [statuses] };
  return { one: statement("shipment_list", cell), parameters: [] };
}

/** Whose shipment an id is; null when no account of the cell has it. */
export async function findShipmentOwner(
  connection: Connection,
  cell: Cell,
  id: string,
): Promise<string | null> {
  const [row] = await connection.rows<{ account_id: string }>(statement("shipment_owner", cell), [id]);
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
  return connection.rows(statement("shipment_owners", cell), [reference, product, limit]);
}

/** What was learnt last of a reference that anybody in the cell tracks with this product; null when nothing is known. */
export async function lookupReference(
  connection: Connection,
  cell: Cell,
  product: string,
  reference: string,
): Promise<DatedRecord | null> {
  const one = statement("shipment_lookup", cell);
  const [row] = await connection.rows<DatedRecord>(one, [reference, product]);
  return row ?? null;
}

export function storedShipment(row: ShipmentRow): StoredShipment {
  return {
    id: row.id,
    reference: row.reference,
    identifierType: row.identifier_type,
    carrierHint: row.carrier_hint,
    carrier: row.carrier,
    status: row.status,
    eta: row.eta,
    failure: row.failure,
    refreshedAt: row.refreshed_at,
    createdAt: row.created_at,
  };
}
