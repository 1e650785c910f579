/** What the database did, and could not say, or only when somebody had changed it since. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import pg from "pg";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { eventFor, eventsFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";
import { answerNext, delayNext, lost } from "./statements.ts";

const { sweepIntervalMs } = HOURS_PASS;

describe("an answer of the database", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness(HOURS_PASS, { cells: 1 });
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  const endpointOf = async (id: string) =>
    (await on.sql("select active, failure_count from cell.endpoints where id = $1", [id]))[0]!;

  /** An endpoint to which so many first attempts have failed; what follows succeeds. */
  async function failedOnce(events = 1) {
    const receiver = await on.receiver();
    on.answer = () => FAIL;
    await on.raise(eventsFor(events, receiver.account));
    await on.until(() => on.arrivals.length === events, "the first attempts");
    await on.settle();
    on.answer = () => OK;
    return receiver;
  }

  /**
   * Loses the answer to the next statement of that name at once, while it waits in the database for the table, and runs
   * only with `runs`. That waits without the clock, which would run beyond the time for which the engine looks for what
   * was lost.
   */
  async function loseEarly(name: string, table: string) {
    const client = new pg.Client(connectionConfig(on.test.addressOf(on.cell)));
    await client.connect();
    await client.query(`begin; lock table ${on.cell.schema}.${table} in exclusive mode`);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const isLost = answerNext(on, name, async (run) => {
      void run().finally(resolve);
      throw new StoreUnavailable("the connection was lost", { cause: null });
    });
    const runs = async () => {
      await client.end();
      await ended;
    };
    return { isLost, runs };
  }

  describe("that is lost", () => {
    test("to a claim keeps no delivery from its next attempt", async () => {
      const { id } = await failedOnce(2);
      const isLost = answerNext(on, "delivery_claim", lost);
      await on.clock.advance(10_000);
      await on.until(isLost, "a claim whose answer is lost");
      await on.delivered(id);
      assert.equal(on.arrivals.length, 4);
    });

    test("to a raise that is committed much later keeps nothing of it from being sent, once", async () => {
      const { account, id } = await on.receiver();
      const raise = await loseEarly("event_raise", "events");
      await assert.rejects(on.raise([eventFor(account)]), StoreUnavailable);
      await on.clock.advance(sweepIntervalMs / 2);
      await on.settle();
      await raise.runs();
      await on.clock.advance(sweepIntervalMs);
      await on.delivered(id);
      await on.settle();
      assert.equal(on.arrivals.length, 1);
    });

    test("to a claim that is committed much later keeps no delivery from its next attempt", async () => {
      const { id } = await failedOnce();
      const claim = await loseEarly("delivery_claim", "queue");
      await on.clock.advance(10_000);
      await on.until(claim.isLost, "a claim whose answer is lost");
      await on.clock.advance(sweepIntervalMs / 2);
      await on.settle();
      await claim.runs();
      await on.clock.advance(sweepIntervalMs);
      await on.delivered(id);
      assert.equal(on.arrivals.length, 2);
    });

    test("to the settlement that disables an endpoint lets no further attempt start", async () => {
      const { account, id } = await on.receiver({ failureCount: 19 });
      on.answer = () => (on.arrivals.length === 1 ? FAIL : "hang");
      const isLost = answerNext(on, "delivery_settle", lost);
      await on.raise(eventsFor(4, account));
      await on.until(() => isLost() && on.hanging.length === 1, "a settlement whose answer is lost");
      await on.settle();
      const expected = { active: false, failure_count: 20 };
      assert.deepEqual(await endpointOf(id), expected, "the repeated failure counts once");
      on.hanging.pop()!(FAIL);
      await on.clock.advance(2 * sweepIntervalMs);
      assert.equal(on.engine.gauges().inFlight, 0);
      assert.equal(on.arrivals.length, 2);
    });

    test("to a change of an endpoint keeps no node from what it says", async () => {
      const { account, id } = await on.receiver();
      const other = await on.join();
      await on.change(account, id, { active: false });
      await on.drive(on.engine.endpointChanged(on.cell, account, id));
      // Who made the change has died, or been refused an answer: nobody says so to an engine.
      await on.change(account, id, { active: true });
      await on.settle();
      await on.raise([eventFor(account)]);
      await on.drive(other.raise([eventFor(account)]));
      await on.delivered(id);
      assert.equal(on.arrivals.length, 2);
      await on.drive(other.stop());
    });

    test("to a raise leaves nothing behind that nobody holds, even when the node stops", async () => {
      const { account, id } = await on.receiver();
      const other = await on.join();
      const isLost = answerNext(on, "event_raise", lost);
      await assert.rejects(on.drive(other.raise([eventFor(account)])), StoreUnavailable);
      assert.ok(isLost());
      await on.drive(other.stop());
      await on.clock.advance(sweepIntervalMs);
      await on.delivered(id);
    });
  });

  for (const end of ["deliver", "lose"] as const) {
    const how = end === "lose" ? "is lost" : "comes";
    test(`to a settlement that ${how} when a claim has the retry already keeps nothing from it, and counts once`, async () => {
      const { account, id } = await on.receiver();
      on.answer = () => FAIL;
      const settlement = delayNext(on, "delivery_settle");
      await on.raise([eventFor(account)]);
      await on.until(settlement.isAnswered, "the result of the first attempt is committed");
      on.answer = () => "hang";
      await on.clock.advance(sweepIntervalMs);
      const claimed = "select from cell.queue where endpoint_id = $1 and node is not null";
      const isClaimed = async () => (await on.sql(claimed, [id])).length > 0;
      await on.until(isClaimed, "the sweep finds the retry, and it is claimed");
      settlement[end]();
      await on.until(() => on.hanging.length === 1, "the second attempt");
      assert.equal((await endpointOf(id))["failure_count"], 1);
      on.hanging.pop()!(OK);
      await on.delivered(id);
      assert.equal((await on.deliveries(id))[0]!["attempt_count"], 2);
      await on.settle();
      assert.equal(on.arrivals.length, 2);
      assert.deepEqual([...on.engine.brokenInvariants()], []);
    });
  }

  describe("that arrives late", () => {
    test("to a raise does not bring an endpoint's old URL back", async () => {
      const { account, id } = await on.receiver({ url: "https://receiver.test/old" });
      const route = delayNext(on, "route_read");
      const raising = on.engine.raise([eventFor(account)]);
      await on.until(route.isAnswered, "the route is read");
      await on.change(account, id, { url: "https://receiver.test/new" });
      await on.drive(on.engine.endpointChanged(on.cell, account, id));
      route.deliver();
      await on.drive(raising);
      await on.until(() => on.arrivals.length === 1, "the delivery");
      assert.equal(on.arrivals[0]!.url, "https://receiver.test/new");
    });

    for (const change of ["pause", "delete"])
      test(`to a claim lets no attempt start after a ${change} was answered`, async () => {
        const { account, id } = await on.receiver();
        const other = await on.join();
        on.answer = () => FAIL;
        await on.drive(other.raise([eventFor(account)]));
        await on.until(() => on.arrivals.length === 1, "the first attempt");
        await on.settle();
        await on.drive(other.stop());
        on.answer = () => OK;
        const target = delayNext(on, "target_list");
        await on.clock.advance(sweepIntervalMs);
        await on.until(target.isAnswered, "a claim for an endpoint that the node does not know yet");
        if (change === "pause") await on.change(account, id, { active: false });
        else await on.remove(account, id);
        const changed = on.engine.endpointChanged(on.cell, account, id);
        const sentUntilAnswered = changed.then(() => on.arrivals.length);
        await on.settle();
        target.deliver();
        const sent = await on.drive(sentUntilAnswered);
        await on.settle();
        assert.equal(on.arrivals.length, sent);
      });
  });

  for (const [what, change] of [
    ["was deleted", (account: string, id: string) => on.remove(account, id)],
    ["was paused", (account: string, id: string) => on.change(account, id, { active: false })],
    [
      "has asked for other types",
      (account: string, id: string) => on.change(account, id, { eventTypes: ["customs_hold"] }),
    ],
  ] as const)
    test(`that a node has kept makes no delivery for an endpoint that ${what}, before the node learns of it`, async () => {
      const { account, id } = await on.receiver();
      await on.raise([eventFor(account)]);
      await on.until(() => on.arrivals.length === 1, "the delivery before the change");
      await change(account, id);
      await on.raise([eventFor(account)]);
      await on.settle();
      assert.deepEqual([on.arrivals.length, (await on.deliveries(id)).length], [1, 1]);
    });
});
