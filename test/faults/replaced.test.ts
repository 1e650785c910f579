/**
 * What a node writes late, after another has taken its place: between drafting a statement and its
 * running lies a moment, and a process that is frozen just then runs it a lease later.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { takeOverNode } from "../../src/store/nodes/nodes.ts";
import { eventFor, FAIL, OK, startHarness, type Harness } from "../engine/harness.ts";

describe("a node that was replaced", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness();
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  /** Holds up every statement that reads or writes events, until the node has been replaced and knows it. */
  async function replaceDuring<T>(work: () => Promise<T>): Promise<T> {
    const client = new pg.Client(connectionConfig(on.test.addressOf(on.cell)));
    await client.connect();
    await client.query(`begin; lock table ${on.cell.schema}.events in access exclusive mode`);
    const working = work();
    // It waits for the lock.
    await on.clock.rest();
    const [node] = await on.sql("select id from cell.nodes");
    await takeOverNode(on.test.database, on.cell, node!["id"] as number, on.clock.nowMs());
    await on.until(async () => (await on.sql("select from cell.nodes")).length > 0, "it joins again");
    await client.query("commit");
    await client.end();
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
    await replaceDuring(() => on.drive(on.engine.raiseWithin(on.cell, async () => [eventFor(account)])));
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
