/** Tracked shipments as they are stored: what clients asked for, and whose turn it is to be looked at. */
import { int4Array, textArray } from "./binary.ts";
import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { storedShipment, type StoredShipment } from "./shipments-read.ts";
import { statement } from "./sql.ts";

/** A shipment that this node alone refreshes until its lease ends. */
export type ClaimedShipment = {
  readonly id: string;
  readonly accountId: string;
  readonly reference: string;
  readonly identifierType: string | null;
  readonly carrierHint: string | null;
  readonly carrier: string | null;
  readonly record: string | null;
  readonly nextPollAt: Date;
  readonly lease: number;
  readonly failures: number;
  /** The last answer. */
  readonly refreshedAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
};

type Row = {
  readonly id: string;
  readonly account_id: string;
  readonly reference: string;
  readonly identifier_type: string | null;
  readonly carrier_hint: string | null;
  readonly carrier: string | null;
  readonly status: string;
  readonly eta: Date | null;
  readonly record: string | null;
  readonly failure: string | null;
  readonly next_poll_at: Date;
  readonly lease: number;
  readonly failures: number;
  readonly refreshed_at: Date | null;
  readonly ended_at: Date | null;
  readonly created_at: Date;
};

/** Sorts before everything that is merely due. */
const AT_ONCE = new Date(0);

export type NewShipment = {
  readonly id: string;
  readonly accountId: string;
  readonly reference: string;
  readonly identifierType: string | null;
  readonly carrierHint: string | null;
  readonly atMs: number;
};

/** Stores a shipment, due at once, or finds the one that the account has of this reference. */
export async function insertOrGetShipment(
  connection: Connection,
  cell: Cell,
  shipment: NewShipment,
): Promise<{ readonly created: boolean; readonly shipment: StoredShipment }> {
  const { id, accountId, reference, identifierType, carrierHint, atMs } = shipment;
  const parameters = [id, accountId, reference, identifierType, carrierHint, new Date(atMs)];
  // An insert that waited for another one's commit sees that row in its second try, not in its first.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const [row] = await connection.rows<Row & { created: boolean }>(
      statement("shipment_insert", cell),
      parameters,
    );
    if (row !== undefined) return { created: row.created, shipment: storedShipment(row) };
  }
  throw new Error(`shipment ${reference} is neither there nor new`);
}

/** Makes a shipment due before all others. False: the account has no such shipment. */
export async function recheckShipment(
  connection: Connection,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await connection.rows<Row>(statement("shipment_recheck", cell), [accountId, id, AT_ONCE]);
  return rows.length > 0;
}

/**
 * Takes a shipment away; what was raised of it stays. A refresh under way finds no row to write to, and
 * raises nothing. False: the account has no such shipment.
 */
export async function deleteShipment(
  connection: Connection,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await connection.rows<Row>(statement("shipment_delete", cell), [accountId, id]);
  return rows.length > 0;
}

/** How many shipments of one carrier may be claimed; an empty SCAC stands for those without a carrier. */
export type Lane = { readonly carrier: string; readonly room: number };

/** Claims for each lane the shipments that have been due longest, for `leaseMs`. */
export async function claimDueShipments(
  connection: Connection,
  cell: Cell,
  lanes: readonly Lane[],
  atMs: number,
  leaseMs: number,
): Promise<readonly ClaimedShipment[]> {
  const rows = await connection.rows<Row>(statement("shipment_claim", cell), [
    textArray(lanes.map(({ carrier }) => carrier)),
    int4Array(lanes.map(({ room }) => room)),
    new Date(atMs),
    new Date(atMs + leaseMs),
  ]);
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    reference: row.reference,
    identifierType: row.identifier_type,
    carrierHint: row.carrier_hint,
    carrier: row.carrier,
    record: row.record,
    nextPollAt: row.next_poll_at,
    lease: row.lease,
    failures: row.failures,
    refreshedAt: row.refreshed_at,
    endedAt: row.ended_at,
    createdAt: row.created_at,
  }));
}

export type RefreshedShipment = {
  readonly carrier: string;
  readonly identifierType: string | null;
  readonly status: string;
  readonly etaMs: number | null;
  readonly record: string;
  readonly refreshedAtMs: number;
  readonly endedAtMs: number | null;
  /** Null: it need not be looked at again. */
  readonly nextPollAtMs: number | null;
};

/** Writes a refresh and gives the claim back. False: the claim was no longer this one's; nothing is written. */
export async function saveRefreshed(
  connection: Connection,
  cell: Cell,
  claimed: ClaimedShipment,
  refreshed: RefreshedShipment,
): Promise<boolean> {
  const rows = await connection.rows<Row>(statement("shipment_save", cell), [
    claimed.id,
    claimed.lease,
    claimed.nextPollAt,
    refreshed.carrier,
    refreshed.identifierType,
    refreshed.status,
    moment(refreshed.etaMs),
    refreshed.record,
    moment(refreshed.refreshedAtMs),
    moment(refreshed.endedAtMs),
    moment(refreshed.nextPollAtMs),
  ]);
  return rows.length > 0;
}

/** Writes why a refresh had no answer and gives the claim back. False: as for {@link saveRefreshed}. */
export async function saveFailedRefresh(
  connection: Connection,
  cell: Cell,
  claimed: ClaimedShipment,
  failure: string,
  nextPollAtMs: number | null,
): Promise<boolean> {
  const rows = await connection.rows<Row>(statement("shipment_fail", cell), [
    claimed.id,
    claimed.lease,
    claimed.nextPollAt,
    failure,
    moment(nextPollAtMs),
  ]);
  return rows.length > 0;
}

function moment(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
