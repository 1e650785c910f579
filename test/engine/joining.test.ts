import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Connection } from "../../src/store/database.ts";
import { takeOverNode } from "../../src/store/nodes/nodes.ts";
import { eventFor, startHarness, type Harness } from "./harness.ts";

describe("a node that was replaced", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({ heartbeatIntervalMs: 200 }, { cells: 1 });
  });
  after(() => on.stop());

  /** Keeps back the answer to the next statement of that name until `release` is called. */
  function keepBack(name: string): { readonly isKept: () => boolean; readonly release: () => void } {
    const { database } = on.test;
    const { rows, dedicated } = database;
    let kept = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const keeping =
      (ask: Connection["rows"]): Connection["rows"] =>
      async (statement, parameters) => {
        const answer = await ask(statement, parameters);
        if (kept || statement.name !== `${name}@${on.cell.schema}`) return answer;
        kept = true;
        Object.assign(database, { rows, dedicated });
        await promise;
        return answer;
      };
    database.rows = keeping(rows);
    database.dedicated = async (cell, onLost) => {
      const connection = await dedicated(cell, onLost);
      return { ...connection, rows: keeping(connection.rows) };
    };
    return { isKept: () => kept, release: resolve };
  }

  test("and cannot join again at once, joins as soon as it can", async () => {
    const { account } = await on.receiver();
    const [node] = await on.sql("select id from cell.nodes");
    await on.sql("alter table cell.nodes add constraint closed check (false) not valid");
    await takeOverNode(on.test.database, on.cell, node!["id"] as number, on.clock.nowMs());
    await on.clock.advance(1_000);
    await on.settle();
    assert.deepEqual(await on.sql("select from cell.nodes"), []);
    await on.sql("alter table cell.nodes drop constraint closed");
    await on.until(async () => (await on.sql("select from cell.nodes")).length === 1, "it joins again");
    await on.raise([eventFor(account)]);
    await on.until(() => on.arrivals.length === 1, "it delivers");
    await on.settle();
  });

  test("sends nothing twice of what was raised before, and answered while it joined again", async () => {
    on.arrivals.length = 0;
    const { account, id } = await on.receiver();
    const raise = keepBack("event_raise");
    const raising = on.engine.raise([eventFor(account)]);
    await on.until(raise.isKept, "the raise is committed");
    const join = keepBack("node_register");
    const [node] = await on.sql("select id from cell.nodes");
    await takeOverNode(on.test.database, on.cell, node!["id"] as number, on.clock.nowMs());
    await on.until(join.isKept, "it joins again");
    raise.release();
    await on.drive(raising);
    join.release();
    await on.delivered(id);
    await on.settle();
    assert.equal(on.arrivals.length, 1);
  });
});
