import assert from "node:assert/strict";
import { test, afterEach, beforeEach, describe } from "node:test";

import type { Claim } from "../../../src/freight/polling/poll-handler.ts";
import type { ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import { createSourceQueues } from "../../../src/freight/work/source-queues.ts";
import { createAccountWaits } from "../../../src/freight/polling/account-waits.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/runtime/durations.ts";
import { recordingLog } from "../../support/log.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { TERN } from "../shipping-lines.ts";
import { answers, BOOKED, startPoller, type Tracked } from "./polling.ts";
import { columns } from "../../support/columns.ts";

const CELL = { number: 0, schema: "cell", directory: "directory" };

function claimOf(carrier: string | null, id: string, dueMs = 1_000_000): Claim {
  const claimed = { id, carrier, source: carrier ?? "", nextPollAt: new Date(dueMs) } as ClaimedShipment;
  return { cell: CELL, claimed, deadlineMs: 0 };
}

const OF_CLAIMS = {
  claims: "ahead",
  sourceOf: ({ claimed }: Claim) => claimed.source,
  isUrgent: ({ claimed }: Claim) => claimed.nextPollAt!.getTime() < 1_000,
} as const;

function lanesOf(
  slots: Readonly<Record<string, number>>,
  isBreakerOpen: (carrier: string) => boolean = () => false,
) {
  return createSourceQueues({ ...OF_CLAIMS, slots: new Map(Object.entries(slots)), isBreakerOpen });
}

const idOf = (claim: Claim | null) => claim?.claimed.id ?? null;
const HERONS = ["h1", "h2", "h3", "h4"].map((id) => claimOf("HRNL", id));

test("source queues take turns, and none has more polls open than slots", () => {
  const queues = lanesOf({ HRNL: 2, TRNC: 1 });
  const wanted = queues.toClaim(0);
  assert.deepEqual(wanted, [
    { source: "HRNL", limit: 4 },
    { source: "TRNC", limit: 2 },
  ]);
  queues.enqueue(wanted, [...HERONS, claimOf("TRNC", "t1"), claimOf("TRNC", "t2")]);
  assert.deepEqual([idOf(queues.next()), idOf(queues.next()), idOf(queues.next())], ["h1", "t1", "h2"]);
  assert.equal(queues.next(), null);
  queues.ended(HERONS[0]!, true);
  assert.equal(idOf(queues.next()), "h3");
});

test("nothing is claimed while every source queue is half full, nor again where nothing was due", () => {
  const queues = lanesOf({ HRNL: 2 });
  queues.enqueue(queues.toClaim(0), HERONS);
  assert.deepEqual(queues.toClaim(0), []);
  queues.next();
  assert.deepEqual(queues.toClaim(0), [], "three wait");
  queues.next();
  assert.deepEqual(queues.toClaim(0), [{ source: "HRNL", limit: 2 }]);
  queues.enqueue(queues.toClaim(0), []);
  assert.deepEqual(queues.toClaim(0), []);
  queues.markDue();
  assert.deepEqual(queues.toClaim(0), [{ source: "HRNL", limit: 2 }]);
});

test("what a client asked for goes before what waits", () => {
  const queues = lanesOf({ "": 1 });
  queues.enqueue(queues.toClaim(0), [claimOf(null, "due")]);
  queues.markDue();
  queues.enqueue(queues.toClaim(0), [claimOf(null, "asked for", 1)]);
  assert.equal(idOf(queues.next()), "asked for");
});

test("a carrier whose breaker is open is not claimed for", () => {
  let open = true;
  const queues = lanesOf({ HRNL: 1, TRNC: 1 }, (carrier) => open && carrier === "HRNL");
  assert.equal(
    queues
      .toClaim(0)
      .map(({ source }) => source)
      .join(),
    "TRNC",
  );
  open = false;
  assert.equal(queues.toClaim(0).length, 2);
});

test("a carrier that asks for patience gets back all that waits, and one look goes ahead when its time is over", () => {
  const queues = lanesOf({ HRNL: 2 });
  queues.enqueue(queues.toClaim(0), HERONS);
  const first = queues.next()!;
  queues.ended(first, false);
  assert.deepEqual(queues.pause(first, 5_000).map(idOf), ["h2", "h3", "h4"]);
  assert.equal(queues.next(), null);
  assert.deepEqual(queues.toClaim(4_999), []);
  assert.deepEqual(queues.toClaim(5_000), [{ source: "HRNL", limit: 1 }]);
  queues.enqueue(queues.toClaim(5_000), [claimOf("HRNL", "h2")]);
  const probe = queues.next()!;
  assert.deepEqual(queues.toClaim(5_000), []);
  queues.ended(probe, true);
  assert.deepEqual(queues.toClaim(5_000), [{ source: "HRNL", limit: 4 }]);
});

test("what is stored under several names of one carrier shares its places and its room", () => {
  const queues = createSourceQueues({
    ...OF_CLAIMS,
    slots: new Map([["EK", 2]]),
    isBreakerOpen: () => false,
    sourcesOf: () => ["176", "901"],
  });
  const both = queues.toClaim(0);
  assert.deepEqual(both, [
    { source: "176", limit: 2 },
    { source: "901", limit: 2 },
  ]);
  queues.enqueue(both, [claimOf("176", "a"), claimOf("176", "b"), claimOf("901", "c")]);
  assert.deepEqual([idOf(queues.next()), idOf(queues.next()), queues.next()], ["a", "b", null]);
  assert.deepEqual(queues.toClaim(0), [{ source: "176", limit: 3 }], "nothing more is due of the other");
  queues.ended(claimOf("176", "a"), true);
  assert.equal(idOf(queues.next()), "c");
  queues.markDue();
  assert.equal(queues.toClaim(0).length, 2);
  queues.enqueue(queues.toClaim(0), [claimOf("176", "d"), claimOf("901", "e")]);
  assert.deepEqual(queues.pause(claimOf("901", "e"), 1_000).map(idOf), ["d", "e"]);
  assert.deepEqual(queues.toClaim(999), []);
});

const BUSY = "00000000-0000-7000-8000-00000000000a";
const QUIET = "00000000-0000-7000-8000-00000000000b";
const REFUSED_S = 1_800;

describe("quotas of accounts", () => {
  let harbour: Harbour;
  let poller: ReturnType<typeof startPoller>;
  const outcomes: string[] = [];
  beforeEach(async () => {
    const ids = [BUSY, QUIET];
    const accounts = Object.fromEntries(ids.map((id) => [id, { headers: { "x-api-key": id } }]));
    // One request at a time, so that a queue that waits holds all of them up.
    harbour = await openHarbour([{ ...TERN, requestsMax: 1, accounts }]);
    for (const id of ids)
      await harbour.stored.queryIn(harbour.cell, "insert into cell.accounts (id) values ($1)", [id]);
    poller = startPoller(harbour, { onPoll: (_: string, outcome: string) => void outcomes.push(outcome) });
  });
  afterEach(async () => {
    await poller.stop();
    await harbour.stored.drop();
  });

  async function trackAll(accountId: string, ...references: readonly string[]): Promise<readonly Tracked[]> {
    const tracked: Tracked[] = [];
    for (const reference of references) {
      const one = await poller.track(reference, { accountId, carrier: "TRNC" });
      await one.atOnce("the first poll", ({ status }) => status === "pre_departure");
      tracked.push(one);
    }
    return tracked;
  }

  test("a 429 to one account's own key delays its shipments alone, and none of them fails", async () => {
    const { clock } = harbour;
    answers(harbour, BOOKED);
    const busy = await trackAll(BUSY, ...[1, 2, 3, 4].map((number) => `TRNCBUSY${number}`));
    const quiet = await trackAll(QUIET, "TRNCQUIET1", "TRNCQUIET2");
    let refused = 0;
    let untilMs = 0;
    harbour.answer = async (_, { headers }) => {
      if (headers["x-api-key"] === QUIET || (untilMs > 0 && clock.nowMs() >= untilMs))
        return answered(200, JSON.stringify([BOOKED]));
      refused += 1;
      untilMs = clock.nowMs() + REFUSED_S * 1_000;
      return answered(429, "", { "retry-after": String(REFUSED_S) });
    };
    outcomes.length = 0;
    clock.jump(5 * HOUR_MS);
    const sinceMs = clock.nowMs();
    const areFresh = async (tracked: readonly Tracked[]) => {
      const shipments = await Promise.all(tracked.map(({ read }) => read()));
      return shipments.every(({ refreshed_at: at }) => Date.parse(at!) >= sinceMs);
    };
    await clock.until(() => areFresh(quiet), "the other account's polls");
    assert.ok(clock.nowMs() < sinceMs + (REFUSED_S * 1_000) / 2, "long before the pause ends");
    await clock.until(() => outcomes.filter((one) => one === "unavailable").length === 4, "all wait");
    const failures = await Promise.all(busy.map(async ({ read }) => (await read()).last_failure));
    assert.equal(failures.filter((failure) => failure !== null).length, 1, "the one that was asked about");
    await clock.until(() => areFresh(busy), "the busy account's polls, after the pause");
    assert.deepEqual([refused, outcomes.includes("postponed")], [1, false]);
  });
});

/** When shipments come back that an account's own quota did not let through. */
function waiting(quota: { perSecond?: number; perDay?: number }) {
  const nowMs = Date.parse("2026-11-23T12:00:00Z");
  const log = recordingLog();
  const carrier = { ...TERN, quota, accounts: { [BUSY]: { headers: { "x-api-key": "own" } } } };
  const waits = createAccountWaits(log);
  const now = { accountId: BUSY, nextPollAt: new Date(nowMs) };
  /** Milliseconds from now to the next poll; null: the carrier waits. */
  const waitMsOf = (more: Partial<ClaimedShipment> = {}): number | null => {
    const atMs = waits(carrier, { ...now, ...more }, 1_000, nowMs);
    return atMs === null ? null : atMs - nowMs;
  };
  return { waitMsOf, lines: log.lines };
}

test("they come back one after the other by the fastest limit of the quota, one that a client waits for first", () => {
  const { waitMsOf } = waiting({ perSecond: 5, perDay: 1_000 });
  assert.deepEqual([waitMsOf(), waitMsOf(), waitMsOf()], [1_000, 1_200, 1_400]);
  assert.equal(waitMsOf({ nextPollAt: new Date(0) }), 1_000);
});

test("none waits longer than an hour beyond the next turn, and the log says once that the quota is too small", () => {
  const { waitMsOf, lines } = waiting({ perDay: 48 });
  assert.deepEqual(
    [waitMsOf(), waitMsOf(), waitMsOf(), waitMsOf(), waitMsOf()],
    [0, 30, 60, 60, 60].map((minutes) => 1_000 + minutes * MINUTE_MS),
  );
  assert.deepEqual(columns(lines, "level", "fields"), [["warn", { carrier: "TRNC", account: BUSY }]]);
});

test("an account without credentials of its own leaves the wait to the carrier", () => {
  const { waitMsOf } = waiting({ perSecond: 5 });
  assert.equal(waitMsOf({ accountId: QUIET }), null);
});
