/** A change that is refreshed while somebody has an older state in hand. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { Connection } from "../../src/store/database.ts";
import { eventFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("an answer of the database that arrives late", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness(HOURS_PASS);
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  /** Keeps back the answer to the next statement of that name until `release` is called. */
  function keepBack(name: string): { readonly isKept: () => boolean; readonly release: () => void } {
    const database = on.test.database as { rows: Connection["rows"] };
    const { rows } = database;
    let kept = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    database.rows = async (statement, parameters) => {
      const answer = await rows(statement, parameters);
      if (kept || statement.name !== `${name}@${on.cell.schema}`) return answer;
      kept = true;
      database.rows = rows;
      await promise;
      return answer;
    };
    return { isKept: () => kept, release: resolve };
  }

  test("to a raise does not bring an endpoint's old URL back", async () => {
    const { account, id } = await on.receiver({ url: "https://receiver.test/old" });
    const route = keepBack("route_read");
    const raising = on.engine.raise([eventFor(account)]);
    await on.until(route.isKept, "the route is read");
    await on.change(account, id, { url: "https://receiver.test/new" });
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    route.release();
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
      const target = keepBack("target_list");
      await on.clock.advance(HOURS_PASS.sweepIntervalMs);
      await on.until(target.isKept, "a claim for an endpoint that the node does not know yet");
      if (change === "pause") await on.change(account, id, { active: false });
      else await on.remove(account, id);
      const sentUntilAnswered = on.engine
        .endpointChanged(on.cell, account, id)
        .then(() => on.arrivals.length);
      await on.settle();
      target.release();
      const sent = await on.drive(sentUntilAnswered);
      await on.settle();
      assert.equal(on.arrivals.length, sent);
    });
});

describe("a route that a node has kept", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness(HOURS_PASS);
  });
  after(() => on.stop());

  for (const [what, change] of [
    ["was deleted", (account: string, id: string) => on.remove(account, id)],
    ["was paused", (account: string, id: string) => on.change(account, id, { active: false })],
    [
      "has asked for other types",
      (account: string, id: string) => on.change(account, id, { eventTypes: ["customs_hold"] }),
    ],
  ] as const)
    test(`makes no delivery for an endpoint that ${what}, before the node learns of it`, async () => {
      const { account, id } = await on.receiver();
      on.arrivals.length = 0;
      await on.raise([eventFor(account)]);
      await on.until(() => on.arrivals.length === 1, "the delivery before the change");
      await change(account, id);
      await on.raise([eventFor(account)]);
      await on.settle();
      const deliveries = await on.sql("select id from cell.deliveries where endpoint_id = $1", [id]);
      assert.deepEqual([on.arrivals.length, deliveries.length], [1, 1]);
    });
});
