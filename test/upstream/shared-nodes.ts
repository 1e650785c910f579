/** Nodes of one installation that ask one upstream, which logs when each request came. */
import type { HttpPort } from "../../src/freight/upstream/http.ts";
import type { QuotaSettings } from "../../src/freight/upstream/quota.ts";
import { createQuotaSharing, type ShareQuota } from "../../src/freight/upstream/quota-share.ts";
import { createUpstream, type Upstream } from "../../src/freight/upstream/upstream.ts";
import { sleep } from "../../src/runtime/sleep.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Database } from "../../src/store/database.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock } from "../support/clock.ts";
import { query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

export type Scene = {
  readonly quota?: QuotaSettings;
  /** How long the directory takes over a statement. */
  readonly statementMs?: number;
  /** Seconds that the upstream's first answer, a 429, asks to wait. */
  readonly retryAfter?: string;
};

const OPTIONS = { timeoutMs: 10_000, bodyBytesMax: 1_000 };

/** In a directory that has forgotten all before. */
export async function sharedNodes(
  { database: real, cells, address }: TestDatabase,
  { quota, statementMs = 0, retryAfter }: Scene,
) {
  const clock = manualClock();
  /** Every request: when it came, and from which node. */
  const log: { readonly atMs: number; readonly node: number }[] = [];
  let [joined, statements, lost] = [0, 0, null as "fails" | "hangs" | null];
  const database: Database = {
    ...real,
    async rows(statement, parameters) {
      statements += 1;
      if (lost === "fails") throw new Error("the directory is away");
      if (lost === "hangs") return new Promise(() => undefined);
      const rows = await real.rows(statement, parameters);
      if (statementMs > 0) await sleep(clock, statementMs);
      return rows;
    },
  };
  const http: HttpPort = async (_url, { headers }) => {
    const isRefused = log.push({ atMs: clock.monotonicMs(), node: Number(headers["x-node"]) }) === 1;
    const wait = (isRefused && retryAfter) || null;
    return { kind: "answered", status: wait === null ? 200 : 429, body: "", header: () => wait };
  };

  /** The share of a quota without an upstream; `aheadMs`: by so much the node's clock is ahead. */
  function share(aheadMs = 0): ShareQuota {
    const own: Clock = { ...clock, nowMs: () => clock.nowMs() + aheadMs };
    const ports = { clock: own, random: systemRandom(), log: silentLog };
    return createQuotaSharing({ ...ports, database, cells: [cells[0]!] });
  }

  /** A node that joins now. */
  function join(aheadMs?: number) {
    const ports = { http, clock, random: { fraction: () => 1 }, shareQuota: share(aheadMs) };
    return asking(createUpstream("api", { quota }, ports), joined++, clock);
  }

  /** The directory forgets all, as one that is restored from a backup. */
  const restore = () => query(address, "truncate boathook.upstream_limits, boathook.upstream_pauses");
  await restore();
  return {
    clock,
    log,
    share,
    join,
    restore,
    /** From now on the directory fails every statement, or hangs; null: it is back. */
    lose: (how: typeof lost) => void (lost = how),
    statements: () => statements,
    /** The most requests within any window of that length, of those after the first `from`. */
    busiest: (windowMs: number, from = 0) =>
      busiestWindow(
        log.slice(from).map(({ atMs }) => atMs),
        windowMs,
      ),
  };
}

function asking(upstream: Upstream, node: number, clock: Clock) {
  const headers = { "x-node": String(node) };
  const get = () => upstream.get(new URL("http://api.example/"), { headers, ...OPTIONS });
  let isStopped = false;
  const keepAsking = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await get();
      if (answer.kind === "refused") await sleep(clock, answer.retryAfterMs);
    }
  };
  return {
    /** One request; its outcome as one word. */
    async ask(): Promise<string> {
      const answer = await get();
      if (answer.kind === "answered") return String(answer.status);
      return answer.kind === "refused" ? `${answer.reason} ${answer.retryAfterMs}` : answer.kind;
    },
    /** Keeps so many requests open, until `stop`. */
    work(count: number) {
      for (let index = 0; index < count; index += 1) void keepAsking();
    },
    stop: () => void (isStopped = true),
  };
}

/** Milliseconds since the epoch are no finer than this. */
const ROUNDED_MS = 0.01;

/** The most within any window of that length, wherever it begins. */
export function busiestWindow(atMs: readonly number[], windowMs: number): number {
  const times = atMs.toSorted((one, other) => one - other);
  let [most, first] = [0, 0];
  for (const [last, ms] of times.entries()) {
    while (times[first]! <= ms - windowMs + ROUNDED_MS) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
