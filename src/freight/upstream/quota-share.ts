/**
 * What a quota has to share with other nodes: its turns, and the pauses that its source asks for. A turn is a moment
 * at which a request counts; requests of one limit have turns an interval apart, whichever node sends them.
 *
 *     turns wanted ─▶ gathered with those of other sources ─▶ one statement ─▶ leased: a stretch of time to each limit
 *                                                                 └─ the directory does not answer ─▶ none, for a second
 *
 * Nodes tell their time with every statement, and a node whose own is behind moves it up. So the turns of all lie on
 * one line of time, whatever the machines' clocks say.
 */
import { StoreUnavailable } from "../../model/errors.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { createBatch } from "../../engine/batch-writer.ts";
import { createOutageLog } from "../work/outage.ts";
import { type LeasedTurns, type TurnsWanted, SHARED_MS } from "./store/quotas.ts";
import {
  upstreamPause,
  upstreamPauseList,
  upstreamLimitInsert,
  upstreamLimitLease,
} from "./store/upstream.sql.ts";

/** `source` names the upstream, the same on every node. */
export type ShareQuota = (source: string) => QuotaShare;

export type QuotaShare = {
  /** Of the turns and pauses; never goes back. */
  nowMs(): number;
  /** Whether other nodes take of the same turns. */
  readonly isShared: boolean;
  /** A lease for each limit; null: nobody can say now. Never rejects. */
  lease(wanted: readonly Omit<TurnsWanted, "source">[]): Promise<readonly Lease[] | null>;
  /** Learns of the pauses that other nodes were given; resolves soon even if it cannot. */
  refresh(): Promise<void>;
  /** 0: nothing is paused. */
  pausedUntilMs(): number;
  pause(forMs: number): void;
};

export type Lease = Pick<LeasedTurns, "windowMs" | "leavesAt" | "fromMs" | "toMs" | "isShared">;

/** How old a node's knowledge of pauses may be. */
const PAUSES_FRESH_MS_MAX = 1_000;
/** How long a request waits to learn of them. */
const PAUSES_WAIT_MS_MAX = 500;
/** A directory that takes longer is away; what it leases then is lost. */
const STATEMENT_MS_MAX = 5_000;
/** Sources of one statement. */
const SOURCES_MAX = 200;

/** A quota of this process alone. */
export function ownShare(clock: Clock): QuotaShare {
  let pausedUntilMs = 0;
  return {
    nowMs: clock.monotonicMs,
    isShared: false,
    lease: async (wanted) =>
      wanted.map(({ windowMs, notBeforeMs }) => ({
        windowMs,
        leavesAt: notBeforeMs,
        fromMs: 0,
        toMs: Number.POSITIVE_INFINITY,
        isShared: false,
      })),
    refresh: async () => undefined,
    pausedUntilMs: () => pausedUntilMs,
    pause(forMs) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + forMs);
    },
  };
}

type SharingPorts = Pick<NodeContext, "database" | "cells" | "clock" | "random" | "log">;

/** Shares by the tables of the directory. */
export function createQuotaSharing({ database, cells, clock, random, log }: SharingPorts): ShareQuota {
  const directory = cells[0];
  const node = random.uuid(clock.nowMs());
  const asked = createAsk(clock, log);
  const pauses = new Map<string, number>();
  const added = new Set<string>();
  let aheadMs = clock.nowMs() - clock.monotonicMs();
  let refreshedAtMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> = Promise.resolve();

  const nowMs = (): number => clock.monotonicMs() + aheadMs;
  const heard = (toldAtMs: number): void => {
    aheadMs = Math.max(aheadMs, toldAtMs - clock.monotonicMs());
  };

  const leaseAll = createBatch<readonly TurnsWanted[], readonly LeasedTurns[] | null>(
    { batchMax: SOURCES_MAX, gatherMs: 0 },
    clock,
    async (calls) => {
      const wanted = calls.flat();
      const leased = await asked(async () => {
        const fresh = wanted.filter(({ source, windowMs }) => !added.has(`${source} ${windowMs}`));
        if (fresh.length > 0)
          await upstreamLimitInsert(database, directory, { limits: fresh, node, nowMs: nowMs() });
        for (const { source, windowMs } of fresh) added.add(`${source} ${windowMs}`);
        const found = await upstreamLimitLease(database, directory, {
          limits: wanted,
          node,
          nowMs: nowMs(),
          sharedMs: SHARED_MS,
        });
        // A directory that was restored from a backup may not know them any more.
        if (found.length < wanted.length) added.clear();
        return found;
      });
      for (const { toldAt } of leased ?? []) heard(toldAt);
      const bySource = Map.groupBy(leased ?? [], ({ source }) => source);
      return calls.map(([first]) => (leased === null ? null : (bySource.get(first!.source) ?? [])));
    },
  );

  async function readPauses(): Promise<void> {
    for (const { source, toldAt, pausedUntil } of (await asked(() =>
      upstreamPauseList(database, directory, nowMs()),
    )) ?? []) {
      heard(toldAt);
      pauses.set(source, Math.max(pauses.get(source) ?? 0, pausedUntil));
    }
  }

  return (source) => ({
    nowMs,
    isShared: true,
    lease: (wanted) => leaseAll(wanted.map((one) => ({ ...one, source }))),
    async refresh() {
      if (clock.monotonicMs() - refreshedAtMs >= PAUSES_FRESH_MS_MAX) {
        refreshedAtMs = clock.monotonicMs();
        refreshing = waitAtMost(clock, PAUSES_WAIT_MS_MAX, readPauses()).then(() => undefined);
      }
      return refreshing;
    },
    pausedUntilMs: () => pauses.get(source) ?? 0,
    pause(forMs) {
      const untilMs = nowMs() + forMs;
      pauses.set(source, Math.max(pauses.get(source) ?? 0, untilMs));
      // Where the directory is away, the other nodes get answers of their own.
      void asked(() => upstreamPause(database, directory, { source, nowMs: nowMs(), untilMs }));
    },
  });
}

/** Null: the directory did not answer in time, which is logged. */
function createAsk(clock: Clock, log: Log) {
  const outage = createOutageLog("quotas", log, clock);
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      let answer: T | null = null;
      const answered = work().then((value) => {
        answer = value;
      });
      if (!(await waitAtMost(clock, STATEMENT_MS_MAX, answered)))
        throw new StoreUnavailable("the directory does not answer in time");
      outage.ended();
      return answer;
    } catch (cause) {
      outage.began(cause);
      return null;
    }
  };
}
