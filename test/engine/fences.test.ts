import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { registerNode, takeOverNode } from "../../src/store/nodes/nodes.ts";
import { claimDue, releaseDeliveries } from "../../src/store/deliveries/queue.ts";
import { eventFor, eventsFor, FAIL, HOURS_PASS, random, startHarness, type Harness } from "./harness.ts";

describe("a node that is replaced", () => {
  let on: Harness;
  let session: pg.Client;
  afterEach(async () => {
    await session.end();
    await on.stop();
  });

  async function begin(): Promise<void> {
    on = await startHarness(HOURS_PASS);
    session = new pg.Client(connectionConfig(on.test.addressOf(on.cell)));
    await session.connect();
  }

  const nodeOf = async () => Number((await on.sql("select min(id) as id from cell.nodes"))[0]!["id"]);
  const inSession = (text: string) => session.query(text.replaceAll("cell.", `${on.cell.schema}.`));
  /** One delivery that this node has claimed for its second attempt, which is open. */
  async function claimed(): Promise<{ readonly deliveryId: string; readonly endpointId: string }> {
    const { account, id: endpointId } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(async () => (await on.sql("select from cell.queue")).length === 1, "the first failure");
    on.answer = () => "hang";
    await on.until(() => on.hanging.length === 1, "the second attempt");
    const [row] = await on.sql("select delivery_id, node from cell.queue");
    assert.equal(row!["node"], await nodeOf());
    return { deliveryId: String(row!["delivery_id"]), endpointId };
  }

  test("does not take a delivery from the node that claimed it since, by a result it began to write before", async () => {
    await begin();
    const { endpointId } = await claimed();
    const replaced = await nodeOf();
    // Its result waits in the database behind another session's lock.
    await inSession("begin");
    await inSession("select from cell.deliveries for update");
    on.hanging.shift()!(FAIL);
    await on.settle();

    const atMs = on.clock.nowMs();
    const taken = await takeOverNode(on.test.database, on.cell, replaced, atMs);
    const other = await registerNode(on.test.database, on.cell, atMs, random.uuid(atMs));
    if (taken !== null)
      await claimDue(on.test.database, on.cell, other, [{ endpointId, limit: 1 }], atMs + 100_000);
    await inSession("commit");
    await on.settle();

    const [row] = await on.sql("select node from cell.queue");
    assert.equal(row!["node"], taken === null ? null : other, "the row is whose it was");
    assert.equal(taken, null, "who takes over waits until the result is written");
    assert.equal(await takeOverNode(on.test.database, on.cell, other, atMs), 0);
  });

  test("writes no result once another has begun to take it over", async () => {
    await begin();
    const { deliveryId, endpointId } = await claimed();
    const replaced = await nodeOf();
    await inSession("begin");
    await inSession(`select from cell.nodes where id = ${replaced} for update`);
    on.hanging.shift()!(FAIL);
    await on.settle();
    await inSession(`update cell.queue set node = null where node = ${replaced}`);
    await inSession(`delete from cell.nodes where id = ${replaced}`);
    await inSession("commit");

    const atMs = on.clock.nowMs();
    const other = await registerNode(on.test.database, on.cell, atMs, random.uuid(atMs));
    await claimDue(on.test.database, on.cell, other, [{ endpointId, limit: 1 }], atMs + 100_000);
    await on.settle();
    const [row] = await on.sql(
      "select d.attempt_count, q.node from cell.deliveries d join cell.queue q on q.delivery_id = d.id where d.id = $1",
      [deliveryId],
    );
    assert.deepEqual(row, { attempt_count: 1, node: other });
    assert.equal(await takeOverNode(on.test.database, on.cell, other, atMs), 0);
  });

  test("is taken over, and releases, although a delivery that it holds is in the queue as well", async () => {
    await begin();
    const { account } = await on.receiver();
    on.answer = () => "hang";
    await on.raise(eventsFor(4, account));
    await on.until(() => on.hanging.length === 4, "four attempts");
    const deliveryIds = (
      await on.sql("select id::text as id, endpoint_id from cell.deliveries order by id")
    ).map((row) => String(row["id"]));
    const node = await nodeOf();
    // What no statement does: two of them are in both places, one of these claimed by the node itself.
    await on.sql(
      `insert into cell.queue (delivery_id, endpoint_id, due_at, node)
       select id, endpoint_id, created_at, case when id = $2 then $3::integer end
       from cell.deliveries where id = any ($1)`,
      [[deliveryIds[1], deliveryIds[2]], deliveryIds[2], node],
    );
    const { database } = on.test;
    const released = await releaseDeliveries(
      database,
      on.cell,
      node,
      deliveryIds.slice(0, 2),
      on.clock.nowMs(),
    );
    assert.deepEqual(released.toSorted(), deliveryIds.slice(0, 2));
    assert.equal(await takeOverNode(database, on.cell, node, on.clock.nowMs()), 2);
    const waiting = await on.sql(
      "select delivery_id::text as id from cell.queue where node is null order by 1",
    );
    assert.deepEqual(
      waiting.map((row) => row["id"]),
      deliveryIds,
      "each of them waits, once",
    );
  });
});
