/** Nodes of one installation that ask one real upstream: the server logs when each request came. */
import { setImmediate } from "node:timers/promises";

import type { RequestListener } from "node:http";

import type { QuotaSettings } from "../../src/freight/upstream/quota.ts";
import { createQuotaSharing, type ShareQuota } from "../../src/freight/upstream/quota-share.ts";
import { createUpstream, type Upstream } from "../../src/freight/upstream/upstream.ts";
import { sleep } from "../../src/runtime/sleep.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Database } from "../../src/store/database.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { serving } from "./serving.ts";

export type SharedNodes = {
  readonly clock: ManualClock;
  /** Every request: when it came, and from which node. */
  readonly log: { readonly atMs: number; readonly node: number }[];
  /** A node that joins now; `aheadMs`: by so much its clock is ahead. */
  join(aheadMs?: number): SharedNode;
  /** The share of a quota without an upstream. */
  share(aheadMs?: number): ShareQuota;
  /** Moves the clock in small steps, and lets all I/O of each end before the next. */
  run(ms: number): Promise<void>;
  /** From now on the directory fails every statement, or hangs; null: it is back. */
  lose(how: Lost): void;
  /** The directory forgets all, as one that is restored from a backup. */
  restore(): Promise<void>;
  /** Statements so far. */
  statements(): number;
};

export type SharedNode = {
  readonly upstream: Upstream;
  /** One request; its outcome as one word. */
  ask(): Promise<string>;
  /** Keeps so many requests open, until `stop`. */
  work(count: number): void;
  stop(): void;
};

const STEP_MS = 10;

export async function withSharedNodes(
  { quota, statementMs = 0, answer }: Scene,
  work: (nodes: SharedNodes) => Promise<void>,
): Promise<void> {
  const clock = manualClock();
  const { database: real, cells, address, drop } = await createTestDatabase();
  const [directory] = cells;
  const log: { atMs: number; node: number }[] = [];
  const io = countedIo();
  let joined = 0;
  const directoryState = { statements: 0, lost: null as Lost };
  const database = watched(real, directoryState, io, async () =>
    statementMs > 0 ? sleep(clock, statementMs) : undefined,
  );
  const listener: RequestListener = (request, response) => {
    log.push({ atMs: clock.monotonicMs(), node: Number(request.headers["x-node"]) });
    if (answer === undefined) response.end();
    else answer(request, response);
  };

  try {
    await serving(listener, async ({ url, http }) => {
      const share = (aheadMs = 0): ShareQuota => {
        const own: Clock = { ...clock, nowMs: () => clock.nowMs() + aheadMs };
        const ports = { clock: own, random: systemRandom(), log: silentLog };
        return createQuotaSharing({ ...ports, database, cells: [directory!] });
      };
      const nodes: SharedNodes = {
        clock,
        log,
        share,
        join(aheadMs) {
          const node = joined++;
          const upstream = createUpstream(
            "api",
            { quota },
            {
              http: (...request) => io.counted(http(...request)),
              clock,
              random: { fraction: () => 1 },
              shareQuota: share(aheadMs),
            },
          );
          return { upstream, ...asking(upstream, url, node, clock) };
        },
        async run(ms) {
          for (let ranMs = 0; ranMs < ms; ranMs += STEP_MS) {
            await io.quiet();
            await clock.advance(STEP_MS);
          }
          await io.quiet();
        },
        lose(how) {
          directoryState.lost = how;
        },
        async restore() {
          await query(address, "truncate boathook.upstream_limits, boathook.upstream_pauses");
        },
        statements: () => directoryState.statements,
      };
      await work(nodes);
    });
  } finally {
    await drop();
  }
}

type Lost = "fails" | "hangs" | null;

/** Counts I/O, and waits until none is open. */
function countedIo() {
  const open = new Set<Promise<unknown>>();
  return {
    counted<T>(work: Promise<T>): Promise<T> {
      const one = work.then(
        () => undefined,
        () => undefined,
      );
      open.add(one);
      void one.then(() => open.delete(one));
      return work;
    },
    async quiet(): Promise<void> {
      for (let still = 0; still < 3; still = open.size === 0 ? still + 1 : 0) {
        await Promise.race([setImmediate(), ...open]);
      }
    },
  };
}

function watched(
  real: Database,
  state: { statements: number; lost: Lost },
  { counted }: ReturnType<typeof countedIo>,
  pause: () => Promise<void>,
): Database {
  return {
    ...real,
    async rows(statement, parameters) {
      state.statements += 1;
      if (state.lost === "fails") throw new Error("the directory is away");
      if (state.lost === "hangs") return new Promise(() => undefined);
      const rows = await counted(real.rows(statement, parameters));
      await pause();
      return rows;
    },
  };
}

export type Scene = {
  readonly quota?: QuotaSettings;
  /** How long the directory takes over a statement. */
  readonly statementMs?: number;
  readonly answer?: RequestListener;
};

function asking(upstream: Upstream, url: string, node: number, clock: Clock): Omit<SharedNode, "upstream"> {
  let isStopped = false;
  const get = () =>
    upstream.get(new URL(url), {
      headers: { "x-node": String(node) },
      timeoutMs: 10_000,
      bodyBytesMax: 1_000,
    });
  const keepAsking = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await get();
      if (answer.kind === "refused") await sleep(clock, answer.retryAfterMs);
    }
  };
  return {
    async ask() {
      const answer = await get();
      if (answer.kind === "answered") return String(answer.status);
      return answer.kind === "refused" ? `${answer.reason} ${answer.retryAfterMs}` : answer.kind;
    },
    work(count) {
      isStopped = false;
      for (let index = 0; index < count; index += 1) void keepAsking();
    },
    stop() {
      isStopped = true;
    },
  };
}

/** The most requests within any window of that length, wherever it begins. */
export function busiestWindow(atMs: readonly number[], windowMs: number): number {
  const times = atMs.toSorted((one, other) => one - other);
  let most = 0;
  let first = 0;
  for (const [last, ms] of times.entries()) {
    while (times[first]! <= ms - windowMs + 1e-6) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
