import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { RunningEngine } from "../../src/engine/start.ts";
import { eventFor, eventsFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("two nodes on one database", () => {
  let on: Harness;
  let other: RunningEngine;
  before(async () => {
    on = await startHarness(HOURS_PASS);
    other = await on.join();
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  const arrivalsFor = (id: string) => on.arrivals.filter((arrival) => arrival.url.endsWith(id));

  test("make six attempts together, not six each", async () => {
    const account = await on.account();
    const endpoint = await on.endpoint(account);
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.drive(other.raise([eventFor(account)]));
    const rows = () =>
      on.sql("select status, attempt_count from cell.deliveries where endpoint_id = $1", [endpoint.id]);
    for (const [index, waitMs] of [0, 10_000, 60_000, 300_000, 1_800_000, 7_200_000].entries()) {
      await on.clock.advance(waitMs);
      const settled = async () => (await rows()).every((row) => row["attempt_count"] === index + 1);
      await on.until(settled, `both deliveries settled attempt ${index + 1}`);
    }
    assert.deepEqual(await rows(), [
      { status: "dead", attempt_count: 6 },
      { status: "dead", attempt_count: 6 },
    ]);
    assert.equal(arrivalsFor(endpoint.id).length, 12);
  });

  test("a pause answered by one stops the other", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.drive(other.raise(eventsFor(50, account)));
    await on.until(() => on.hanging.length > 0, "open requests");
    await on.change(account, id, { active: false });
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    const sent = arrivalsFor(id).length;
    assert.ok(sent < 50);
    for (const done of on.hanging.splice(0)) done(OK);
    await on.settle();
    await on.clock.advance(60_000);
    await on.settle();
    assert.equal(arrivalsFor(id).length, sent);
    const [queued] = await on.sql(
      "select count(*)::int as n from cell.queue where endpoint_id = $1 and node is null",
      [id],
    );
    assert.equal(queued!["n"], 50 - sent, "the rest is parked");
  });

  test("one that stops leaves nothing behind, and the other goes on", async () => {
    const { account, id } = await on.receiver();
    const third = await on.join();
    on.answer = () => "hang";
    await on.drive(third.raise(eventsFor(100, account)));
    await on.until(() => on.hanging.length > 0, "open requests");
    const stopping = third.stop();
    on.answer = () => OK;
    for (const done of on.hanging.splice(0)) done(OK);
    await on.drive(stopping);
    const statuses = () =>
      on.sql("select status, count(*)::int as n from cell.deliveries where endpoint_id = $1 group by 1", [
        id,
      ]);
    await on.until(
      async () => (await statuses()).every((row) => row["status"] === "delivered"),
      "all delivered",
    );
    assert.deepEqual(await statuses(), [{ status: "delivered", n: 100 }]);
    assert.equal(arrivalsFor(id).length, 100, "none twice");
  });
});
