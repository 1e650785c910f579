/** A carrier that refuses one account's plan, and the shipments of the others. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import type { ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import { createAccountWaits } from "../../../src/freight/polling/account-waits.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/runtime/durations.ts";
import { recordingLog } from "../../support/log.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { TERN } from "../shipping-lines.ts";
import { answers, BOOKED, startPoller, type Tracked } from "./polling.ts";

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
  assert.deepEqual(
    lines.map(({ level, fields }) => [level, fields]),
    [["warn", { carrier: "TRNC", account: BUSY }]],
  );
});

test("an account without credentials of its own leaves the wait to the carrier", () => {
  const { waitMsOf } = waiting({ perSecond: 5 });
  assert.equal(waitMsOf({ accountId: QUIET }), null);
});
