import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import fc from "fast-check";

import { createQuota } from "../../src/freight/upstream/quota.ts";
import { DAY_MS, HOUR_MS } from "../../src/runtime/durations.ts";
import { createTestDatabase, type TestDatabase, query } from "../support/database.ts";
import type { HttpPort } from "../../src/freight/upstream/http.ts";
import { createQuotaSharing, type ShareQuota } from "../../src/freight/upstream/quota-share.ts";
import { createUpstream, type Upstream } from "../../src/freight/upstream/upstream.ts";
import { sleep } from "../../src/runtime/sleep.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Database } from "../../src/store/database.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock } from "../support/clock.ts";
import { silentLog } from "../support/log.ts";
import { forAllAsync } from "../support/runs.ts";
import type { QuotaSettings } from "../../src/freight/upstream/upstream-schema.ts";

type Scene = {
  readonly quota?: QuotaSettings;
  /** How long the directory takes over a statement. */
  readonly statementMs?: number;
  /** Seconds that the upstream's first answer, a 429, asks to wait. */
  readonly retryAfter?: string;
};

const OPTIONS = { timeoutMs: 10_000, bodyBytesMax: 1_000 };

/** In a directory that has forgotten all before. */
async function sharedNodes(
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
function busiestWindow(atMs: readonly number[], windowMs: number): number {
  const times = atMs.toSorted((one, other) => one - other);
  let [most, first] = [0, 0];
  for (const [last, ms] of times.entries()) {
    while (times[first]! <= ms - windowMs + ROUNDED_MS) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

const SECONDS = 45;

describe("nodes that share a quota", () => {
  let stored: TestDatabase;
  before(async () => {
    stored = await createTestDatabase();
  });
  after(() => stored.drop());
  const nodesOf = (scene: Scene = {}) => sharedNodes(stored, scene);

  for (const [count, perSecond] of [
    [1, 5],
    [2, 5],
    [2, 50],
    [5, 20],
  ] as const) {
    test(`${count} busy nodes together keep within ${perSecond} a second, use it up, and get equal parts`, async () => {
      const scene = await nodesOf({ quota: { perSecond }, statementMs: 10 });
      const nodes = Array.from({ length: count }, () => scene.join());
      for (const node of nodes) node.work(16);
      // Long enough for the nodes' turns, which follow the order of real answers, to even out.
      await scene.clock.advance(SECONDS * 1_000);
      const within = scene.busiest(1_000);
      assert.ok(within <= perSecond, `${within} in a second`);
      const used = scene.log.filter(({ atMs }) => atMs >= 5_000).length / ((SECONDS - 5) * perSecond);
      assert.ok(used >= 0.9, `${used} of the quota`);
      for (const node of nodes.keys()) {
        const part = (scene.log.filter((one) => one.node === node).length * count) / scene.log.length;
        assert.ok(part > 0.6, `node ${node} has ${part} of its part`);
      }
      // Refused leases, leases of 200 ms, and pauses read: of each, some a second.
      assert.ok(scene.statements() <= SECONDS * count * 11, `${scene.statements()} statements`);
      for (const node of nodes) node.stop();
    });
  }

  test("in random schedules no window has more requests than any of the limits", async () => {
    const step = fc.tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: -2_000, max: 4_000 }),
    );
    const { clock, share } = await nodesOf();
    let runs = 0;
    await forAllAsync(
      15,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 90 }),
      fc.array(step, { minLength: 30, maxLength: 80 }),
      async (perSecond, perMinute, steps) => {
        const name = `run ${(runs += 1)}`;
        const limits = { perSecond, perMinute };
        const quotas = Array.from({ length: 5 }, () => createQuota(limits, clock, share()(name)));
        const leftAt: number[] = [];
        for (const [node, count, pauseMs] of steps) {
          await clock.advance(Math.max(0, pauseMs));
          const takes = Array.from({ length: count }, () => quotas[node]!.take(1_000));
          for (const turn of await Promise.all(takes)) {
            if (turn.kind === "granted") leftAt.push(clock.monotonicMs() + turn.waitMs);
          }
        }
        assert.ok(busiestWindow(leftAt, 1_000) <= perSecond);
        assert.ok(busiestWindow(leftAt, 60_000) <= perMinute);
      },
    );
  });

  test("a small quota a day is used up by five nodes, and outlives a restart of all", async () => {
    const { clock, share } = await nodesOf();
    const startAll = () =>
      Array.from({ length: 5 }, () => createQuota({ perDay: 10 }, clock, share()("small")));
    const leftAt: number[] = [];
    let nodes = startAll();
    for (let halfHour = 0; halfHour < 96; halfHour += 1) {
      if (halfHour % 20 === 0) nodes = startAll();
      for (const node of nodes) {
        const turn = await node.take(1_000);
        if (turn.kind === "granted") leftAt.push(clock.monotonicMs() + turn.waitMs);
      }
      await clock.advance(HOUR_MS / 2);
    }
    assert.ok(busiestWindow(leftAt, DAY_MS) <= 10);
    assert.ok(leftAt.length >= 18, `${leftAt.length} in two days`);
  });

  test("a node that died or has nothing to do holds turns back for a lease at most", async () => {
    const { join, clock, log } = await nodesOf({ quota: { perSecond: 5 } });
    const died = join();
    died.work(8);
    await clock.advance(20_000);
    died.stop();
    await clock.advance(1_500);
    const other = join();
    other.work(8);
    await clock.advance(5_000);
    const until = log.filter(({ node }) => node === 1).length;
    await clock.advance(10_000);
    const used = (log.filter(({ node }) => node === 1).length - until) / 50;
    assert.ok(used >= 0.9, `${used} of the quota`);
    // The first asks now and then: what it does not use, the other one does.
    await clock.drive(died.ask());
    const both = log.length;
    await clock.advance(10_000);
    assert.ok(log.length - both >= 45, `${log.length - both} requests`);
  });

  for (const how of ["fails", "hangs"] as const) {
    test(`where the directory ${how}, nodes use up what they hold, and go on when it is back`, async () => {
      const { join, clock, log, lose, busiest } = await nodesOf({ quota: { perSecond: 5 } });
      for (const node of [join(), join()]) node.work(8);
      await clock.advance(10_000);
      lose(how);
      const held = log.length;
      await clock.advance(20_000);
      assert.ok(log.length - held <= 30, `${log.length - held} requests`);
      const lost = log.length;
      lose(null);
      await clock.advance(15_000);
      assert.ok(log.length - lost >= 40, `${log.length - lost} requests`);
      assert.ok(busiest(1_000) <= 5, `${busiest(1_000)} in a second`);
    });
  }

  test("nodes go on when the directory was restored from before they first asked", async () => {
    const { join, clock, log, restore } = await nodesOf({ quota: { perSecond: 5 } });
    join().work(2);
    await clock.advance(2_000);
    await restore();
    await clock.advance(10_000);
    const restored = log.length;
    await clock.advance(4_000);
    assert.ok(log.length - restored >= 15, `${log.length - restored} requests`);
  });

  test("a Retry-After for one node holds for all of them, and for one that joins", async () => {
    const { join, clock, log } = await nodesOf({ retryAfter: "60" });
    const [first, second] = [join(), join()];
    assert.equal(await first.ask(), "429");
    await clock.advance(1_000);
    for (const node of [first, second, join()]) assert.match(await node.ask(), /^quota 5[89]\d{3}$/);
    assert.equal(log.length, 1);
    await clock.advance(60_000);
    assert.equal(await second.ask(), "200");
  });

  test("a clock that is days ahead or behind costs no node its turns, and gives one more in a window at most", async () => {
    const { join, clock, log, busiest } = await nodesOf({ quota: { perSecond: 10 } });
    const nodes = [join(), join(2 * DAY_MS), join(-2 * DAY_MS)];
    for (const node of nodes) node.work(8);
    // A node learns what the one whose clock is ahead gave last, and stays behind by the time since: hence one too many.
    await clock.advance(40_000);
    const metAt = log.length;
    await clock.advance(10_000);
    const since = log.slice(metAt);
    assert.ok(busiest(1_000, metAt) <= 11);
    assert.ok(since.length >= 90, `${since.length} requests`);
    for (const node of nodes.keys()) {
      const own = since.filter((one) => one.node === node).length;
      assert.ok(own >= 20, `node ${node} sent ${own}`);
    }
  });
});
