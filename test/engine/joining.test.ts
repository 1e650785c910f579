import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { takeOverNode } from "../../src/store/nodes.ts";
import { eventFor, startHarness, type Harness } from "./harness.ts";

describe("a node that was replaced", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({ beatIntervalMs: 200 }, 1);
  });
  after(() => on.stop());

  test("and cannot join anew at once, joins as soon as it can", async () => {
    const account = await on.account();
    await on.endpoint(account);
    const [node] = await on.sql("select id from cell.nodes");
    await on.sql("alter table cell.nodes add constraint closed check (false) not valid");
    await takeOverNode(on.test.database, on.cell, node!["id"] as number, on.clock.nowMs());
    await on.pass(1_000);
    await on.settle();
    assert.deepEqual(await on.sql("select from cell.nodes"), []);
    await on.sql("alter table cell.nodes drop constraint closed");
    await on.until(async () => (await on.sql("select from cell.nodes")).length === 1, "it joins anew");
    await on.drive(on.engine.raise([eventFor(account)]));
    await on.until(() => on.arrivals.length === 1, "it delivers");
  });
});
