/**
 * Turns of accounts among the shipments that wait for one source, so that the long queue of one account keeps no other
 * waiting. Where nobody waits, shipments are claimed as they fall due, and nothing is read for it.
 *
 *     short ─(a claim comes back full)─▶ long ─(whose shipments wait is read now and then)─▶ long, with turns
 *       ▲                                 │ └─ all of one account: read more and more rarely
 *       └────(a claim comes back short)───┘
 *
 * Half of each claim goes by turns, the other by due time, so that requested polls still come first.
 */
import { SECOND_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { ClaimLimit } from "../work/source-queues.ts";
import type { ClaimedShipment, WaitingShipment } from "./store/polls.ts";
import { pollWaiting } from "./store/polls.sql.ts";

export type AccountTurns = {
  /** Shipments to claim before what has been due longest. Rejects as the database does. */
  inTurn(cell: Cell, limits: readonly ClaimLimit[]): Promise<readonly string[]>;
  /** What a claim within these limits gave. */
  claimed(cell: Cell, limits: readonly ClaimLimit[], claims: readonly ClaimedShipment[]): void;
  /** Another account may wait. */
  wake(cell: Cell): void;
};

/** Between two reads of a queue: at least, at most while all are of one account, and otherwise. */
const READ_MS_MIN = SECOND_MS / 2;
const READ_MS_MAX = 4 * SECOND_MS;
const READ_MS = SECOND_MS;
/** Sources of one read. */
const SOURCES_MAX = 4;
/** Shipments read at each end of a source's queue, and of one account. */
const WAITING = { waitingMax: 500, waitingOfAccountMax: 32 };

type LongQueue = {
  /** By the monotonic clock. */
  readAtMs: number;
  waitMs: number;
  inTurn: readonly WaitingShipment[];
  /** The account that had the last turn. */
  latestAccountId: string;
  /** Of an odd number, turns get the larger half every other time. */
  isOdd: boolean;
};

export function createAccountTurns(
  database: Connection,
  clock: Pick<Clock, "nowMs" | "monotonicMs">,
): AccountTurns {
  const byCell = new Map<Cell, Map<string, LongQueue>>();
  const queuesOf = (cell: Cell) => byCell.getOrInsertComputed(cell, () => new Map<string, LongQueue>());

  async function read(cell: Cell, queues: readonly (readonly [string, LongQueue])[]): Promise<void> {
    const atMs = clock.monotonicMs();
    for (const [, queue] of queues) queue.readAtMs = atMs;
    const sources = queues.map(([source]) => source);
    const waiting = await pollWaiting(database, cell, { sources, at: clock.nowMs(), ...WAITING });
    const bySource = Map.groupBy(waiting, ({ source }) => source);
    for (const [source, queue] of queues) {
      const found = bySource.get(source) ?? [];
      const isShared = found.some(({ accountId }) => accountId !== found[0]!.accountId);
      queue.inTurn = isShared ? fromAccount(found, queue.latestAccountId) : [];
      queue.waitMs = isShared ? READ_MS : Math.min(queue.waitMs * 2, READ_MS_MAX);
    }
  }

  return {
    async inTurn(cell, limits) {
      const queues = queuesOf(cell);
      const long = limits.flatMap(({ source, limit }) => {
        const queue = queues.get(source);
        return queue === undefined ? [] : [{ source, limit, queue }];
      });
      const nowMs = clock.monotonicMs();
      const unread = long
        .filter(({ queue }) => nowMs - queue.readAtMs >= queue.waitMs)
        .toSorted((one, other) => one.queue.readAtMs - other.queue.readAtMs)
        .slice(0, SOURCES_MAX);
      if (unread.length > 0)
        await read(
          cell,
          unread.map(({ source, queue }) => [source, queue]),
        );
      return long.flatMap(({ limit, queue }) => takeTurns(queue, limit));
    },
    claimed(cell, limits, claims) {
      const queues = queuesOf(cell);
      const counts = Map.groupBy(claims, ({ source }) => source);
      for (const { source, limit } of limits) {
        if ((counts.get(source)?.length ?? 0) < limit) queues.delete(source);
        else queues.getOrInsertComputed(source, newQueue);
      }
    },
    wake(cell) {
      for (const queue of queuesOf(cell).values()) queue.waitMs = READ_MS_MIN;
    },
  };
}

function newQueue(): LongQueue {
  const readAtMs = Number.NEGATIVE_INFINITY;
  return { readAtMs, waitMs: READ_MS, inTurn: [], latestAccountId: "", isOdd: false };
}

/** In each round of turns, the accounts after the last one come first. */
function fromAccount(
  waiting: readonly WaitingShipment[],
  latestAccountId: string,
): readonly WaitingShipment[] {
  const rounds: WaitingShipment[][] = [];
  const turns = new Map<string, number>();
  for (const one of waiting) {
    const round = turns.get(one.accountId) ?? 0;
    turns.set(one.accountId, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds.flatMap((round) => {
    const first = round.findIndex(({ accountId }) => accountId > latestAccountId);
    return first <= 0 ? round : [...round.slice(first), ...round.slice(0, first)];
  });
}

function takeTurns(queue: LongQueue, limit: number): readonly string[] {
  queue.isOdd = !queue.isOdd;
  const count = Math.floor((limit + (queue.isOdd ? 1 : 0)) / 2);
  const taken = queue.inTurn.slice(0, count);
  queue.inTurn = queue.inTurn.slice(count);
  queue.latestAccountId = taken.at(-1)?.accountId ?? queue.latestAccountId;
  // Used up before its time.
  if (taken.length > 0 && queue.inTurn.length === 0) queue.waitMs = READ_MS_MIN;
  return taken.map(({ id }) => id);
}
