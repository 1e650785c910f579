/**
 * Moves an account to another cell, which may be on another server (docs/decisions/store-account-moves.md). Each step
 * may be repeated; what has been reached is in the directory, and in the account's rows in both cells.
 *
 *     lives in the old cell ─▶ announced in the directory ─▶ copied, while all goes on ─▶ closed ─▶ copied as a whole
 *       ▲                                                                                              │
 *       └───────────────── undone: moved to the old cell before it lives in the new one ◀──────────────┤
 *                                                                                                      ▼
 *     moved ◀─ nothing left in the old cell ◀─ history moved, batch by batch ◀─ open ◀─ lives in the new cell
 */
import { SECOND_MS } from "../../runtime/durations.ts";
import { sleep } from "../../runtime/sleep.ts";
import { ARMING, requireOpen } from "../accounts/accounts.ts";
import { insertChange } from "../accounts/changes.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { notifyDue } from "../deliveries/queue.ts";
import { notifyWork } from "../endpoints/invalidations.ts";
import type { NodeContext } from "../node-context.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { handOverBroadcasts, keepBroadcasts, rewindBroadcasts } from "./broadcasts.ts";
import { closeAccount, openPolls, tellNodes, transactionsEnd } from "./fence.ts";
import { MoveRefused, waitUntil, type Move } from "./move.ts";
import {
  copyKeys,
  copyRecent,
  copyWaiting,
  moveEvents,
  moveHistory,
  preparePartitions,
  removeDeliveries,
  removeKeys,
} from "./raised-tables.ts";
import * as sql from "./statements.ts";
import { copyVersioned, forwardHints, jsonArray, removeVersioned } from "./versioned-tables.ts";

export type MovePorts = Pick<NodeContext, "database" | "cells" | "clock"> &
  Pick<Move, "sources" | "accountTables" | "progress">;

export type MovedAccount = {
  readonly from: number;
  readonly to: number;
  /** How long its API answered 503 and nothing of it was sent; null: in an earlier run of the command. */
  readonly closedMs: number | null;
  /** It lives where it did, and nothing of it is elsewhere. */
  readonly undone: boolean;
};

/** What a command that was killed held is free as soon as the server notices. */
const LOCK_MS_MAX = 10 * SECOND_MS;
/** Until every node that reads the directory knows the new cell (accounts/directory-feed.ts). */
const KNOWN_MS = 3 * SECOND_MS;

/** Rejects with `MoveRefused` where that makes no sense, or cannot be done now. Call it again after any failure. */
export function moveAccount(ports: MovePorts, accountId: string, to: Cell): Promise<MovedAccount> {
  return holdAccount(ports, accountId, (held) => moveLocked(held, accountId, to));
}

/** Runs `work` while no other command moves or removes the account; `progress` then throws once that is not sure. */
export async function holdAccount<T>(
  ports: MovePorts,
  accountId: string,
  work: (held: MovePorts) => Promise<T>,
): Promise<T> {
  const { database, cells } = ports;
  let lost: Error | null = null;
  const directory = { ...cells[0], schema: cells[0].directory };
  const session = await database.dedicated(directory, (cause) => (lost = cause));
  const progress: Move["progress"] = (...said) => {
    // Another command may have the lock now.
    if (lost !== null) throw lost;
    ports.progress(...said);
  };
  try {
    const free = async () => (await session.rows(sql.accountMoveLock(directory), [accountId]))[0]!.free;
    await waitUntil(ports, LOCK_MS_MAX, "another command moves the account", free);
    return await work({ ...ports, progress });
  } finally {
    await session.close();
  }
}

/** An account whose move has not ended, or null. */
export async function findMovingAccount(db: Connection, directory: Cell): Promise<string | null> {
  return (await db.rows(sql.moveAny(directory), []))[0]?.accountId ?? null;
}

async function moveLocked(ports: MovePorts, accountId: string, to: Cell): Promise<MovedAccount> {
  const { database, cells, clock } = ports;
  await database.rows(sql.accountMoveBegin(to), [accountId, to.number, new Date(clock.nowMs())]);
  const [found] = await database.rows(sql.moveRead(to), [accountId]);
  if (found === undefined) throw new MoveRefused(`there is no account ${accountId}`);
  if (found.from === null) throw new MoveRefused(`the account lives in cell ${to.number} already`);
  const [from, target] = [cells[found.from], cells[found.to]];
  if (from === undefined || target === undefined) throw new Error("a cell of the move is missing");
  const move: Move = { ...ports, accountId, from, to: target };
  const ended = { from: found.from, to: found.to };
  const hasMoved = found.cell === found.to;
  if (to.number === found.from && !hasMoved) {
    await undo(move);
    return { ...ended, closedMs: null, undone: true };
  }
  if (to.number !== found.to) {
    throw new MoveRefused(
      `the account moves from cell ${found.from} to cell ${found.to}: finish that first ` +
        `(boathook accounts move ${accountId} ${found.to})`,
    );
  }
  const closedMs = hasMoved ? null : await copyAll(move, found.begunAt.getTime());
  if (hasMoved) await open(move);
  await clean(move);
  return { ...ended, closedMs, undone: false };
}

/** Returns how long the account was closed. */
async function copyAll(move: Move, begunAtMs: number): Promise<number> {
  const { database, clock, accountId, from, to } = move;
  const step = "copying what changes seldom";
  await keepBroadcasts(move);
  await copyKeys(move, step, 0);
  await copyVersioned(move, step);
  const closedAtMs = clock.monotonicMs();
  try {
    const endpointIds = await closeAccount(move);
    await handOverBroadcasts(move);
    await copyKeys(move, "copying the rest", begunAtMs);
    await copyVersioned(move, "copying the rest");
    await preparePartitions(move, endpointIds);
    for (const id of endpointIds) {
      await copyWaiting(move, id);
      await copyRecent(move, id);
    }
    const [account] = await database.rows(sql.accountTakeOut(from), [accountId]);
    await database.rows(sql.accountPut(to), [jsonArray([account!.row])]);
    // A command that was killed may still have a statement there.
    await transactionsEnd(move, to, "copying the rest");
  } catch (cause) {
    if (cause instanceof MoveRefused) await undo(move);
    throw cause;
  }
  await flip(move);
  await open(move);
  return clock.monotonicMs() - closedAtMs;
}

/** The account lives in the new cell from here on. */
async function flip({ database, clock, accountId, from, to }: Move): Promise<void> {
  const at = new Date(clock.nowMs());
  await database.transaction(async (tx) => {
    await tx.rows(sql.moveFlip(to), [accountId, to.number]);
    await tx.rows(sql.moveReaddress(to), [accountId, to.number, from.number, ARMING]);
    await tx.rows(sql.moveUnindex(to), [at]);
    await insertChange(tx, to, { kind: "account", subject: accountId }, at);
  });
}

/** Opens the account in the new cell, once. */
async function open(move: Move): Promise<void> {
  const { database, accountId, from, to } = move;
  move.progress("opening the account");
  if (!(await isOpen(move))) {
    const endpoints = await database.rows(sql.endpointTakeOut(from), [accountId]);
    await database.transaction(async (tx) => {
      await tx.rows(sql.endpointPut(to), [jsonArray(endpoints.map(({ row }) => row))]);
      await tx.rows(sql.accountMark(to), [accountId, true, false]);
    });
    await notifyDue(
      database,
      to,
      endpoints.map(({ id }) => id),
    );
  }
  await openPolls(move, to);
  // A broadcast's batch that began before knows nothing of the account.
  await transactionsEnd(move, to, "opening the account");
  await database.transaction(async (tx) => {
    await rewindBroadcasts(tx, move);
    await notifyWork(tx, to);
    await tx.rows(sql.accountMark(to), [accountId, false, false]);
  });
}

async function isOpen({ database, accountId, to }: Move): Promise<boolean> {
  try {
    await requireOpen(database, to, accountId);
    return true;
  } catch (cause) {
    if (cause instanceof StoreUnavailable && cause.reason === "account_moving") return false;
    throw cause;
  }
}

/** Moves what has ended, and leaves nothing in the old cell. */
async function clean(move: Move): Promise<void> {
  const { database, clock, accountId, from } = move;
  await sleep(clock, KNOWN_MS);
  const endpoints = await database.rows(sql.endpointTakeOut(from), [accountId]);
  for (const { id } of endpoints) await moveHistory(move, id);
  await moveEvents(move);
  await removeVersioned(move, from, (ids) => forwardHints(move, ids));
  await removeKeys(move, from);
  await database.rows(sql.endpointRemove(from), [accountId]);
  await database.rows(sql.accountRemove(from), [accountId]);
  await database.rows(sql.moveEnd(from), [accountId]);
}

/** Leaves nothing in the new cell, and opens the account in the old one. */
async function undo(move: Move): Promise<void> {
  const { database, accountId, from, to } = move;
  move.progress("undoing");
  const endpoints = await database.rows(sql.endpointTakeOut(from), [accountId]);
  for (const { id } of endpoints) await removeDeliveries(move, to, id);
  await removeVersioned(move, to);
  await removeKeys(move, to);
  await database.rows(sql.accountRemove(to), [accountId]);
  await database.rows(sql.accountMark(from), [accountId, false, false]);
  await openPolls(move, from);
  await tellNodes(
    move,
    endpoints.map(({ id }) => id),
  );
  await database.rows(sql.moveEnd(from), [accountId]);
}
