/** Which shipments are due for a poll, and the results of polls. */
import type { ClaimLimit } from "../../work/source-queues.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import {
  pollClaim,
  pollClaimReevaluations,
  pollNextDue,
  pollNextReevaluation,
  pollReadRecords,
  type pollWaiting,
  pollWrite,
} from "./polls.sql.ts";

/**
 * A shipment that only this node polls until its lease ends. `carrier` is null and `status` is `pending` until a
 * carrier has answered; `source` is its source queue. A null `nextPollAt` ends polling; `changesAt` is when time alone
 * changes something. `failures` counts polls without an answer since the last answer, at `refreshedAt`, and `failure`
 * is the last one's reason. `armedAt` is the time from which demurrage alerting is armed for the account.
 */
export type ClaimedShipment = RowOf<typeof pollClaim>;

/** Due since the distant past: a client waits for it. */
export function isUrgent({ nextPollAt }: Pick<ClaimedShipment, "nextPollAt">): boolean {
  return nextPollAt !== null && nextPollAt.getTime() < URGENT_MS_MAX;
}

const URGENT_MS_MAX = 1_000;

/**
 * Claims for each source the shipments of `inTurn`, and then what has been due longest, for `leaseMs`; also what
 * claims took that end at `lostEndsMs`. The empty source holds shipments whose carrier is unknown.
 */
export function claimDuePolls(
  db: Connection,
  cell: Cell,
  sources: readonly ClaimLimit[],
  atMs: number,
  leaseMs: number,
  inTurn: readonly string[] = [],
  lostEndsMs: readonly number[] = [],
): Promise<readonly ClaimedShipment[]> {
  return pollClaim(db, cell, {
    wanted: sources.map(({ source, limit }) => ({ source, room: limit })),
    at: atMs,
    leaseEnd: atMs + leaseMs,
    inTurn,
    lostEnds: lostEndsMs,
  });
}

export type WaitingShipment = RowOf<typeof pollWaiting>;

/** Claims likewise the shipments of a product that time alone has changed, the longest due first. */
export function claimReevaluations(
  db: Connection,
  cell: Cell,
  product: string,
  limit: number,
  atMs: number,
  leaseMs: number,
  lostEndsMs: readonly number[] = [],
): Promise<readonly ClaimedShipment[]> {
  const [at, leaseEnd] = [new Date(atMs), new Date(atMs + leaseMs)];
  return pollClaimReevaluations(db, cell, { at, leaseEnd, limit, product, lostEnds: lostEndsMs });
}

/** When the next shipment of the sources is due for a poll, claimed ones included; null: none is to be polled. */
export async function readNextPoll(db: Connection, cell: Cell, sources: readonly string[]) {
  return (await pollNextDue(db, cell, sources))?.dueAt?.getTime() ?? null;
}

/** When time alone changes the product's next shipment, claimed ones included; null: it changes none. */
export async function readNextReevaluation(db: Connection, cell: Cell, product: string) {
  return (await pollNextReevaluation(db, cell, product))?.dueAt?.getTime() ?? null;
}

/** The records of shipments, JSON by id; one that no carrier has answered for has none. */
export async function readShipmentRecords(db: Connection, cell: Cell, ids: readonly string[]) {
  const rows = await pollReadRecords(db, cell, ids);
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** The result of a poll as it is stored. Times are milliseconds since the epoch. */
export type PollResult = {
  readonly claimed: ClaimedShipment;
  /** Null: it need not be asked for again. */
  readonly nextPollAtMs: number | null;
  /** Polls without an answer so far, and why the last one had none. */
  readonly failures: number;
  readonly failure: string | null;
  /** The answer's time and digest; null where there was none, and what was known of the last one stays. */
  readonly refreshedAtMs: number | null;
  readonly answerDigest: Buffer | null;
  /** Null: as it was. */
  readonly state: ShipmentState | null;
};

export type ShipmentState = {
  /** Empty: known without one. */
  readonly carrier: string;
  readonly identifierType: string | null;
  readonly status: string;
  readonly etaMs: number | null;
  /** JSON. */
  readonly record: string;
  readonly endedAtMs: number | null;
  readonly changesAtMs: number | null;
  /** The vessels that it is aboard of; absent or null: none is known. They are polled during `pollPeriod`. */
  readonly aboard?: {
    readonly imos: readonly string[];
    readonly pollPeriod: { readonly from: number; readonly until: number } | null;
  } | null;
  /** Bookings and bills of lading beside its reference, letters and digits; absent or empty: none is named. */
  readonly transportDocuments?: readonly string[];
  /** What it is found by when a call changes from which it is to sail, without commas; absent or empty: nothing. */
  readonly awaitedSailings?: readonly string[];
  /** Where a map shows it, JSON; absent or null: nowhere. */
  readonly position?: string | null;
  /** What of it somebody should act on, without commas; absent or empty: nothing. */
  readonly attention?: readonly string[];
};

/**
 * Writes results of polls in one statement and releases their claims. Returns those whose claim
 * still held; of the others nothing is written. Safe to repeat: a claim is good for one write.
 */
export async function writePolls(db: Connection, cell: Cell, results: readonly PollResult[]) {
  // Rows are locked in one order by all who write several.
  const sorted = results.toSorted((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1));
  const rows = await pollWrite(
    db,
    cell,
    sorted.map(({ claimed, state, ...result }) => ({
      id: claimed.id,
      lease: claimed.lease,
      claimedNextPollAt: claimed.nextPollAt?.getTime() ?? null,
      nextPollAt: result.nextPollAtMs,
      failures: result.failures,
      failure: result.failure,
      refreshedAt: result.refreshedAtMs,
      answerDigest: result.answerDigest,
      carrier: state?.carrier ?? null,
      identifierType: state?.identifierType ?? null,
      status: state?.status ?? null,
      eta: state?.etaMs ?? null,
      record: state?.record ?? null,
      endedAt: state?.endedAtMs ?? null,
      claimedChangesAt: claimed.changesAt?.getTime() ?? null,
      changesAt: state?.changesAtMs ?? null,
      vessels: state?.aboard?.imos.join(",") ?? null,
      vesselsFrom: state?.aboard?.pollPeriod?.from ?? null,
      vesselsUntil: state?.aboard?.pollPeriod?.until ?? null,
      transportDocuments: state?.transportDocuments?.join(",") || null,
      awaitedSailings: state?.awaitedSailings?.join(",") || null,
      position: state?.position ?? null,
      attention: state?.attention?.join(",") || null,
    })),
  );
  // By claim: a result whose claim has run out may be written together with that of the node that took over.
  const leases = new Map(rows.map(({ id, lease }) => [id, lease]));
  return new Set(results.filter(({ claimed }) => leases.get(claimed.id) === claimed.lease));
}
