/** Changes of endpoints that a node misses: their notification does not arrive, or they cannot be read. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { publishInvalidation } from "../../src/store/endpoints/invalidations.ts";
import { eventFor, startHarness, type Harness } from "./harness.ts";
import { away, intercept } from "./statements.ts";

const NOTHING = /^$/;
const TARGETS_AND_LATEST = /^(target_list|invalidation_latest)@/;

describe("a change of an endpoint that a node misses", () => {
  let on: Harness;
  /** The statements that do not reach the database. */
  let failing = NOTHING;
  const asked: string[] = [];
  before(async () => {
    on = await startHarness({ stallMs: 60_000, sweepIntervalMs: 600_000 }, { cells: 1 });
    intercept(on, (name) => {
      asked.push(name);
      return failing.test(name) ? away : null;
    });
  });
  after(() => on.stop());
  beforeEach(async () => {
    failing = NOTHING;
    await on.clock.advance(10_000);
    asked.length = 0;
    logged = on.lines.length;
  });

  let logged = 0;
  const messages = () => on.lines.slice(logged).map(({ message }) => message);
  const countOf = (name: string) => asked.filter((one) => one.startsWith(`${name}@`)).length;
  /** The last change that the node has acknowledged. */
  const seen = async () => Number((await on.sql("select seen_change as n from cell.nodes"))[0]!["n"]);
  const publish = async () =>
    publishInvalidation(on.test.database, on.cell, await on.account(), await on.account());

  test("is found at the second heartbeat", async () => {
    const { account, id } = await on.receiver();
    await on.raise([eventFor(account)]);
    await on.until(() => on.arrivals.length === 1, "the first event");
    await on.sql("update cell.endpoints set active = false, inactive_since = now() where id = $1", [id]);
    const [row] = await on.sql("update cell.changes set number = number + 1 returning number as n");
    await on.until(async () => (await seen()) === Number(row!["n"]), "the change is acknowledged");
    assert.deepEqual(messages(), ["an invalidation did not arrive; refreshing all endpoints"]);
    await on.raise([eventFor(account)]);
    await on.settle();
    assert.equal(on.arrivals.length, 1);
  });

  test("is none while all arrive", async () => {
    const { account, id } = await on.receiver();
    const other = await on.join();
    for (let change = 0; change < 3; change += 1) {
      await on.change(account, id, { description: `change ${change}` });
      await on.drive(other.endpointChanged(on.cell, account, id));
      await on.clock.advance(5_000);
    }
    assert.deepEqual(messages(), []);
    await on.drive(other.stop());
  });

  test("has all endpoints read again once a heartbeat, not once a change, however many follow", async () => {
    failing = TARGETS_AND_LATEST;
    let last = await publish();
    await on.until(() => messages().length > 0, "the first change is missed");
    for (let count = 0; count < 20; count += 1) last = await publish();
    const read = countOf("invalidation_latest");
    await on.clock.advance(20_000);
    const readings = countOf("invalidation_latest") - read;
    assert.ok(readings <= 5, `${readings} readings in four beats`);
    failing = NOTHING;
    await on.until(async () => (await seen()) >= last, "all of them, by one reading");
    await on.settle();
    const done = countOf("invalidation_latest");
    await on.clock.advance(20_000);
    assert.equal(countOf("invalidation_latest"), done, "and not again once it is done");
  });

  test("counts as seen only once all is read again, whatever follows it", async () => {
    failing = TARGETS_AND_LATEST;
    const missed = await publish();
    await on.until(() => messages().length > 0, "the change is missed");
    failing = /^invalidation_latest@/;
    const read = countOf("target_list");
    const next = await publish();
    await on.until(() => countOf("target_list") > read, "the next one is refreshed");
    await on.settle();
    assert.ok((await seen()) < missed, "the node that was paused for would take it that all have seen it");
    failing = NOTHING;
    await on.until(async () => (await seen()) >= next, "both, once all is read again");
  });

  test("leaves no timer behind where the node stops while it cannot read endpoints again", async () => {
    failing = TARGETS_AND_LATEST;
    await publish();
    await on.until(() => countOf("invalidation_latest") >= 3, "nothing can be read again");
    await on.drive(on.engine.stop());
    await on.clock.advance(60_000);
    assert.equal(on.clock.pending(), 0);
  });
});
