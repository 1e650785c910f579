import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { RunningEngine } from "../../src/engine/start.ts";
import { eventsFor, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

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
});
