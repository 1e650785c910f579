/** What the database did, and could not say. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import pg from "pg";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { connectionConfig, type Connection } from "../../src/store/database.ts";
import { eventFor, eventsFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("an answer of the database that is lost", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness(HOURS_PASS);
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  /** Loses the answers to the next statements of that name, which still run. */
  function loseNext(name: string, count = 1): { readonly lost: () => boolean } {
    const database = on.test.database as { rows: Connection["rows"] };
    const { rows } = database;
    let left = count;
    database.rows = async (statement, parameters) => {
      const answer = await rows(statement, parameters);
      if (left === 0 || statement.name !== `${name}@${on.cell.schema}`) return answer;
      left -= 1;
      if (left === 0) database.rows = rows;
      throw new StoreUnavailable("the answer was lost", { cause: null });
    };
    return { lost: () => left === 0 };
  }

  /**
   * Loses the answer to the next statement of that name at once, while it runs on in the database. `ended` waits for it
   * without the clock, which would run beyond the time for which the engine looks for what was lost.
   */
  function loseEarly(name: string): { readonly lost: () => boolean; readonly ended: Promise<void> } {
    const database = on.test.database as { rows: Connection["rows"] };
    const { rows } = database;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let lost = false;
    database.rows = async (statement, parameters) => {
      if (statement.name !== `${name}@${on.cell.schema}`) return rows(statement, parameters);
      database.rows = rows;
      lost = true;
      void rows(statement, parameters).finally(resolve);
      throw new StoreUnavailable("the connection was lost", { cause: null });
    };
    return { lost: () => lost, ended };
  }

  /** The database answers the next statement of that name, but the answer arrives only with `deliver`, or is lost. */
  function delayNext(name: string): {
    readonly answered: () => boolean;
    readonly deliver: () => void;
    readonly lose: () => void;
  } {
    const database = on.test.database as { rows: Connection["rows"] };
    const { rows } = database;
    let answered = false;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    database.rows = async (statement, parameters) => {
      if (statement.name !== `${name}@${on.cell.schema}`) return rows(statement, parameters);
      database.rows = rows;
      const answer = await rows(statement, parameters);
      answered = true;
      await promise;
      return answer;
    };
    return {
      answered: () => answered,
      deliver: resolve,
      lose: () => reject(new StoreUnavailable("the answer was lost", { cause: null })),
    };
  }

  /** Makes whatever writes to the table wait until `release` is called. */
  async function holdUp(table: string): Promise<{ release(): Promise<void> }> {
    const client = new pg.Client(connectionConfig(on.test.addressOf(on.cell)));
    await client.connect();
    await client.query(`begin; lock table ${on.cell.schema}.${table} in exclusive mode`);
    return { release: () => client.end() };
  }

  test("to a claim keeps no delivery from its next attempt", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account), eventFor(account)]);
    await on.until(() => on.arrivals.length === 2, "the first attempts");
    await on.settle();
    on.answer = () => OK;
    const claim = loseNext("delivery_claim");
    await on.clock.advance(10_000);
    await on.until(claim.lost, "a claim whose answer is lost");
    await on.delivered(id);
    assert.equal(on.arrivals.length, 4);
  });

  test("to a raise that is committed much later keeps nothing of it from being sent, once", async () => {
    const { account, id } = await on.receiver();
    const blocked = await holdUp("events");
    const raise = loseEarly("event_raise");
    await assert.rejects(on.raise([eventFor(account)]), StoreUnavailable);
    await on.clock.advance(HOURS_PASS.sweepIntervalMs / 2);
    await on.settle();
    await blocked.release();
    await raise.ended;
    await on.clock.advance(HOURS_PASS.sweepIntervalMs);
    await on.delivered(id);
    await on.settle();
    assert.equal(on.arrivals.length, 1);
  });

  test("to a claim that is committed much later keeps no delivery from its next attempt", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(() => on.arrivals.length === 1, "the first attempt");
    await on.settle();
    on.answer = () => OK;
    const blocked = await holdUp("queue");
    const claim = loseEarly("delivery_claim");
    await on.clock.advance(10_000);
    await on.until(claim.lost, "a claim whose answer is lost");
    await on.clock.advance(HOURS_PASS.sweepIntervalMs / 2);
    await on.settle();
    await blocked.release();
    await claim.ended;
    await on.clock.advance(HOURS_PASS.sweepIntervalMs);
    await on.delivered(id);
    assert.equal(on.arrivals.length, 2);
  });

  for (const end of ["deliver", "lose"] as const) {
    const how = end === "lose" ? "is lost" : "comes";
    test(`to a settlement that ${how} when a claim has the retry already keeps nothing from it, and counts once`, async () => {
      const { account, id } = await on.receiver();
      on.answer = () => FAIL;
      const settlement = delayNext("delivery_settle");
      await on.raise([eventFor(account)]);
      await on.until(settlement.answered, "the result of the first attempt is committed");
      on.answer = () => OK;
      await on.clock.advance(HOURS_PASS.sweepIntervalMs);
      const isClaimed = async () =>
        (await on.sql("select from cell.queue where endpoint_id = $1 and node is not null", [id])).length > 0;
      await on.until(isClaimed, "the sweep finds the retry, and it is claimed");
      settlement[end]();
      await on.delivered(id);
      const [delivery] = await on.deliveries(id);
      assert.equal(delivery!["attempt_count"], 2);
      await on.settle();
      assert.equal(on.arrivals.length, 2);
      assert.deepEqual([...on.engine.brokenInvariants()], []);
    });
  }

  test("to a repeated settlement after which a claim has the retry counts no failure twice", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    const settlement = delayNext("delivery_settle");
    await on.raise([eventFor(account)]);
    await on.until(settlement.answered, "the result of the first attempt is committed");
    on.answer = () => "hang";
    await on.clock.advance(HOURS_PASS.sweepIntervalMs);
    const isClaimed = async () =>
      (await on.sql("select from cell.queue where endpoint_id = $1 and node is not null", [id])).length > 0;
    await on.until(isClaimed, "the sweep finds the retry, and it is claimed");
    settlement.lose();
    await on.until(() => on.hanging.length === 1, "the second attempt");
    const [endpoint] = await on.sql("select failure_count from cell.endpoints where id = $1", [id]);
    assert.equal(endpoint!["failure_count"], 1);
    on.hanging.pop()!(OK);
    await on.delivered(id);
  });

  test("to the settlement that disables an endpoint lets no further attempt start", async () => {
    const { account, id } = await on.receiver({ failureCount: 19 });
    on.answer = () => (on.arrivals.length === 1 ? FAIL : "hang");
    const settlement = loseNext("delivery_settle");
    await on.raise(eventsFor(4, account));
    await on.until(() => settlement.lost() && on.hanging.length === 1, "a settlement whose answer is lost");
    await on.settle();
    const [endpoint] = await on.sql("select active, failure_count from cell.endpoints where id = $1", [id]);
    assert.deepEqual(endpoint, { active: false, failure_count: 20 }, "the repeated failure counts once");
    on.hanging.pop()!(FAIL);
    await on.clock.advance(2 * HOURS_PASS.sweepIntervalMs);
    assert.equal(on.engine.gauges().inFlight, 0);
    assert.equal(on.arrivals.length, 2);
  });

  test("to a raise leaves nothing behind that nobody holds, even when the node stops", async () => {
    const { account, id } = await on.receiver();
    const other = await on.join();
    const raise = loseNext("event_raise");
    await assert.rejects(on.drive(other.raise([eventFor(account)])), StoreUnavailable);
    assert.ok(raise.lost());
    await on.drive(other.stop());
    await on.clock.advance(HOURS_PASS.sweepIntervalMs);
    await on.delivered(id);
  });
});
