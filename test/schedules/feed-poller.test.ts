import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { createFeedPoller, type FeedPollerPorts } from "../../src/products/schedules/sources/feed-poller.ts";
import type { FeedAnswer } from "../../src/products/schedules/sources/feed-client.ts";
import type { PolledFeed } from "../../src/products/schedules/sources/feed-schema.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Interval } from "../../src/runtime/interval.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { losing } from "../support/losing.ts";
import { silentLog } from "../support/log.ts";
import { DAY_MS, saidFor } from "./statements.ts";
import { openScene, SETTINGS, type Scene } from "./scene.ts";
import { unwatchedLoops } from "../support/loops.ts";

const MINUTE_MS = 60_000;
const FEED: PolledFeed = {
  name: "heron",
  carrier: "HRNL",
  kind: "ovs-service-schedules",
  url: "https://ovs.heron.example/v3/service-schedules",
  every: "1h",
};

describe("asking feeds", () => {
  let scene: Scene;
  let clock: ManualClock;
  let fetched: number[];
  let answer: (nowMs: number) => Promise<FeedAnswer>;
  const running: Interval[] = [];

  before(async () => {
    scene = await openScene();
  });
  beforeEach(async () => {
    await scene.clear();
    clock = manualClock();
    fetched = [];
    answer = async (nowMs) => ({
      kind: "answered",
      updates: [{ feed: FEED.name, atMs: nowMs, calls: [saidFor(START_MS + 30 * DAY_MS)], complete: null }],
      problems: [],
      failure: null,
    });
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  after(() => scene.on.drop());

  const start = (more: Partial<FeedPollerPorts> = {}): Interval => {
    const asking = createFeedPoller({
      database: scene.ports.database,
      directory: scene.ports.cells[0],
      feeds: [FEED],
      fetchFeed: (_feed, nowMs) => {
        fetched.push(nowMs);
        return answer(nowMs);
      },
      ingest: (update) => ingest(scene.ports, SETTINGS, update),
      clock,
      random: systemRandom(),
      log: silentLog,
      loops: unwatchedLoops,
      ...more,
    });
    running.push(asking);
    asking.start();
    return asking;
  };

  const row = async () => {
    const { directory } = scene.ports.cells[0];
    const { rows } = await query(scene.on.address, `select * from ${directory}.schedule_feeds`);
    return rows[0] as Record<string, unknown> | undefined;
  };
  const hasEnded = (outcome: string) =>
    clock.atOnce(async () => {
      const feed = await row();
      return feed?.["outcome"] === outcome && feed["claimed_by"] === null;
    }, `a fetch has ended: ${outcome}`);

  const pass = (minutes: number) => clock.advance(minutes * MINUTE_MS);

  test("a feed that a claim took whose answer was lost is claimed again, and does not wait for its lease", async () => {
    start({ database: losing(scene.ports.database, "schedule_feed_claim", 2) });
    await pass(1);
    await hasEnded("told");
  });

  test("a feed whose result could not be stored is asked again, and does not wait for its lease", async () => {
    const away = new StoreUnavailable("away");
    const unfinished = losing(scene.ports.database, "schedule_feed_finish", 1, away);
    start({ database: losing(unfinished, "schedule_feed_release", 1, away) });
    await pass(1);
    await hasEnded("told");
    assert.equal(fetched.length, 2);
  });

  test("a feed that was broken off by a database that cannot be reached is asked again before its lease ends", async () => {
    let losses = 1;
    start({
      ingest: async (update) => {
        if (losses-- > 0) throw new StoreUnavailable("the connection is lost");
        return ingest(scene.ports, SETTINGS, update);
      },
    });
    await pass(1);
    await hasEnded("told");
  });

  test("a feed is asked at once, by one of several nodes, and again after its interval", async () => {
    start();
    start();
    start();
    await hasEnded("told");
    assert.equal((await scene.records()).length, 1);
    await pass(50);
    assert.equal(fetched.length, 1);
    await pass(20);
    await clock.atOnce(() => fetched.length === 2, "it is asked again");
  });

  test("a feed that gives no answer is asked again later, and ever later", async () => {
    answer = async () => ({ kind: "unavailable", reason: "http_503", retryAfterMs: null });
    start();
    await hasEnded("http_503");
    await pass(20);
    const waits = fetched.slice(1).map((ms, place) => ms - fetched[place]!);
    assert.ok(waits.length >= 2 && waits.length <= 5, `${waits.length} waits`);
    assert.ok(waits.every((wait, place) => place === 0 || wait > waits[place - 1]!));
  });

  test("a feed is not left alone because the clock was ahead when it was asked", async () => {
    clock.jump(300 * DAY_MS);
    start();
    await hasEnded("told");
    clock.jump(-300 * DAY_MS);
    await pass(70);
    await clock.atOnce(() => fetched.length === 2, "it is asked an hour later");
  });

  test("a feed that is broken off by a stop is due at once for the next node", async () => {
    const first = start({
      ingest: () => {
        void first.stop();
        return ingest(scene.ports, SETTINGS, { feed: FEED.name, atMs: START_MS, calls: [], complete: null });
      },
      fetchFeed: async (_feed, nowMs) => {
        const update = { feed: FEED.name, atMs: nowMs, calls: [], complete: null };
        return { kind: "answered", updates: [update, update], problems: [], failure: null };
      },
    });
    await hasEnded("broken_off");
    start();
    await hasEnded("told");
  });

  test("a feed of a node that is gone is another's once its lease has ended", async () => {
    answer = () => new Promise<FeedAnswer>(() => undefined);
    start();
    await clock.atOnce(() => fetched.length === 1, "it is asked");
    answer = async () => ({ kind: "answered", updates: [], problems: [], failure: null });
    start();
    await pass(14);
    assert.equal(fetched.length, 1);
    await pass(3);
    await hasEnded("told");
    assert.ok(fetched.length >= 2);
    // The first never gets its answer: nobody waits for it for ever.
    const stopping = running.splice(0).map((one) => one.stop());
    await clock.advance(10_000);
    await Promise.all(stopping);
  });
});
