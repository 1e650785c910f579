/**
 * A node that another has replaced: what it writes late is refused, and what it held is sent, once. Between drafting a
 * statement and its running lies a moment, and a process that is frozen just then runs it a lease later.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { claimDue, releaseDeliveries } from "../../src/store/deliveries/queue.ts";
import { registerNode, takeOverNode } from "../../src/store/nodes/nodes.ts";
import { eventFor, eventsFor, FAIL, OK, random, startHarness, type Harness } from "./harness.ts";
import { answerNext, delayNext, lost } from "./statements.ts";

describe("a node that is replaced", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({ heartbeatIntervalMs: 2_000, stallMs: 60_000 }, { cells: 1 });
  });
  after(() => on.stop());
  beforeEach(async () => {
    on.answer = () => OK;
    for (const done of on.hanging.splice(0)) done(OK);
    const isAtRest = async () => (await nodes()).length === 1 && (await on.countPending()) === 0;
    await on.until(isAtRest, "one node, which has sent all");
    on.arrivals.length = 0;
  });

  const nodes = async () => (await on.sql("select id from cell.nodes")).map((row) => Number(row["id"]));
  const takeOver = async (node: number) => takeOverNode(on.test.database, on.cell, node, on.clock.nowMs());
  const replace = async () => takeOver((await nodes())[0]!);
  const queued = (endpointId: string) =>
    on.sql("select delivery_id::text as id, node from cell.queue where endpoint_id = $1 order by 1", [
      endpointId,
    ]);
  const memory = () => {
    const { inFlight, inFlightBytes, open } = on.engine.gauges();
    return [inFlight, inFlightBytes, open];
  };

  /** Another session, in a transaction; `cell.` stands for its schema. */
  async function openSession() {
    const client = new pg.Client(connectionConfig(on.test.addressOf(on.cell)));
    await client.connect();
    const run = (text: string) => client.query(text.replaceAll("cell.", `${on.cell.schema}.`));
    await run("begin");
    return {
      run,
      async commit() {
        await run("commit");
        await client.end();
      },
    };
  }

  describe("during a statement", () => {
    /** Holds up every statement that reads or writes events, until the node has been replaced and knows it. */
    async function replaceDuring<T>(work: () => Promise<T>): Promise<T> {
      const session = await openSession();
      await session.run("lock table cell.events in access exclusive mode");
      const working = work();
      // It waits for the lock.
      await on.clock.rest();
      await replace();
      await on.until(async () => (await nodes()).length > 0, "it joins again");
      await session.commit();
      return working;
    }

    test("loses no event whose statement ran after it had been replaced", async () => {
      const { account, id } = await on.receiver();
      const raised = await replaceDuring(() => on.raise([eventFor(account), eventFor(account)]));
      assert.equal(raised.kind, "raised");
      assert.equal((await on.deliveries(id)).length, 2);
      await on.clock.advance(60_000);
      await on.delivered(id);
      assert.equal(on.arrivals.length, 2);
    });

    test("loses no event that was raised in somebody's transaction", async () => {
      const { account, id } = await on.receiver();
      const change = async () => [eventFor(account)];
      await replaceDuring(() => on.drive(on.engine.raiseWithin(on.cell, change)));
      await on.clock.advance(60_000);
      await on.delivered(id);
      assert.equal(on.arrivals.length, 1);
    });

    test("keeps nothing that it claimed after it had been replaced", async () => {
      const { account, id } = await on.receiver();
      on.answer = () => FAIL;
      await on.raise([eventFor(account)]);
      await on.settle();
      on.answer = () => OK;
      await replaceDuring(() => on.clock.advance(10_100));
      await on.clock.advance(60_000);
      await on.delivered(id);
      assert.deepEqual((await on.deliveries(id))[0]!["attempt_count"], 2);
    });
  });

  describe("and joins again", () => {
    test("does so as soon as it can, if it cannot at once", async () => {
      const { account } = await on.receiver();
      await on.sql("alter table cell.nodes add constraint closed check (false) not valid");
      await replace();
      await on.clock.advance(5_000);
      assert.deepEqual(await nodes(), []);
      await on.sql("alter table cell.nodes drop constraint closed");
      await on.until(async () => (await nodes()).length === 1, "it joins again");
      await on.raise([eventFor(account)]);
      await on.until(() => on.arrivals.length === 1, "it delivers");
    });

    test("sends nothing twice of what was raised before, and answered while it joined again", async () => {
      const { account, id } = await on.receiver();
      const raise = delayNext(on, "event_raise");
      const raising = on.engine.raise([eventFor(account)]);
      await on.until(raise.isAnswered, "the raise is committed");
      const join = delayNext(on, "node_register");
      await replace();
      await on.until(join.isAnswered, "it joins again");
      raise.deliver();
      await on.drive(raising);
      join.deliver();
      await on.delivered(id);
      await on.settle();
      assert.equal(on.arrivals.length, 1);
    });

    test("ends a delivery that it claims while its former attempt still hangs", async () => {
      const { account, id } = await on.receiver();
      on.answer = () => "hang";
      await on.raise([eventFor(account)]);
      await on.until(() => on.hanging.length === 1, "the first attempt");
      assert.equal(await replace(), 1);
      on.answer = () => OK;
      await on.delivered(id);
      on.hanging.shift()!(OK);
      await on.settle();
      assert.deepEqual(memory(), [0, 0, 0]);
      assert.deepEqual(await queued(id), []);
    });
  });

  test("keeps what it claims though the answer to its release was lost before", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.raise(eventsFor(3, account));
    await on.until(() => on.hanging.length === 3, "three attempts");
    // A pause releases what waits; here nothing waits, so the deliveries go back unsent.
    const areLost = answerNext(on, "delivery_release", lost, 2);
    const setActive = async (active: boolean) => {
      await on.change(account, id, { active });
      await on.drive(on.engine.endpointChanged(on.cell, account, id));
    };
    await setActive(false);
    const unsent = { kind: "unsent", error: { code: "name_server", text: "none answers" } } as const;
    for (const done of on.hanging.splice(0)) (done as (result: unknown) => void)(unsent);
    await on.until(areLost, "two answers are lost");
    await setActive(true);
    await on.until(() => on.hanging.length === 3, "they are claimed and sent");
    await on.clock.advance(31_000);
    const [node] = await nodes();
    const claimedBy = (await queued(id)).map((row) => row["node"]);
    assert.deepEqual(claimedBy, [node, node, node], "the sweep does not release what is being sent");
  });

  describe("while it writes a result", () => {
    /** One delivery that this node has claimed for its second attempt, which is open. */
    async function claimed(): Promise<{ readonly node: number; readonly endpointId: string }> {
      const { account, id: endpointId } = await on.receiver();
      on.answer = () => FAIL;
      await on.raise([eventFor(account)]);
      await on.until(async () => (await queued(endpointId)).length === 1, "the first failure");
      on.answer = () => "hang";
      await on.until(() => on.hanging.length === 1, "the second attempt");
      const [node] = await nodes();
      assert.equal((await queued(endpointId))[0]!["node"], node);
      return { node: node!, endpointId };
    }

    /** Another node, which claims what is due for the endpoint. */
    async function claimElsewhere(endpointId: string): Promise<number> {
      const [atMs, { database }] = [on.clock.nowMs(), on.test];
      const other = await registerNode(database, on.cell, atMs, random.uuid(atMs));
      await claimDue(database, on.cell, other, [{ endpointId, limit: 1 }], atMs + 100_000);
      return other;
    }

    test("has it written first: who takes over waits", async () => {
      const { node, endpointId } = await claimed();
      const session = await openSession();
      await session.run("select from cell.deliveries for update");
      on.hanging.shift()!(FAIL);
      await on.clock.advance(20);
      assert.equal(await takeOver(node), null);
      await session.commit();
      await on.clock.advance(20);
      assert.equal((await queued(endpointId))[0]!["node"], null);
      assert.equal((await on.deliveries(endpointId))[0]!["attempt_count"], 2);
    });

    test("writes none once another has begun to take it over", async () => {
      const { node, endpointId } = await claimed();
      const session = await openSession();
      await session.run(`select from cell.nodes where id = ${node} for update`);
      on.hanging.shift()!(FAIL);
      await on.clock.advance(20);
      await session.run(`update cell.queue set node = null where node = ${node}`);
      await session.run(`delete from cell.nodes where id = ${node}`);
      await session.commit();
      const other = await claimElsewhere(endpointId);
      await on.settle();
      assert.equal((await queued(endpointId))[0]!["node"], other, "it does not take it from the other");
      assert.equal((await on.deliveries(endpointId))[0]!["attempt_count"], 1);
      assert.equal(await takeOver(other), 0);
    });
  });

  test("is taken over, and releases, although a delivery that it holds is in the queue as well", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.raise(eventsFor(4, account));
    await on.until(() => on.hanging.length === 4, "four attempts");
    const ofEndpoint = "from cell.deliveries where endpoint_id = $1";
    const found = await on.sql(`select id::text as id ${ofEndpoint} order by 1`, [id]);
    const ids = found.map((row) => String(row["id"]));
    const [node] = await nodes();
    // What no statement does: two of them are in both places, one of these claimed by the node itself.
    await on.sql(
      `insert into cell.queue (delivery_id, endpoint_id, due_at, node)
       select id, endpoint_id, created_at, case when id = $3 then $4::integer end
       ${ofEndpoint} and id in ($2, $3)`,
      [id, ids[1], ids[2], node],
    );
    const { database } = on.test;
    const released = await releaseDeliveries(database, on.cell, node!, ids.slice(0, 2), on.clock.nowMs());
    assert.deepEqual(released.toSorted(), ids.slice(0, 2));
    assert.equal(await takeOver(node!), 2);
    const expected = ids.map((one) => ({ id: one, node: null }));
    assert.deepEqual(await queued(id), expected, "each of them waits, once");
  });
});
