import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";

import { eventFor, eventsFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("an endpoint's health", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({ ...HOURS_PASS, sweepIntervalMs: 30_000 }, { cells: 1 });
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  const arrivalsFor = (id: string) => on.arrivals.filter((arrival) => arrival.url.endsWith(id));
  const endpointOf = async (id: string) =>
    (
      await on.sql("select active, failure_count, inactive_since from cell.endpoints where id = $1", [id])
    )[0]!;
  const setActive = async (accountId: string, id: string, active: boolean) => {
    await on.change(accountId, id, { active });
    await on.drive(on.engine.endpointChanged(on.cell, accountId, id));
  };

  // spec 3.2: disabled; 8: disable; 2.1: active, failure_count
  test("is inactive exactly at the twentieth consecutive failure, however the results are settled", async () => {
    const account = await on.account();
    const nineteen = await on.endpoint(account, { eventTypes: ["eta_changed"] });
    const twenty = await on.endpoint(account, { eventTypes: ["customs_hold"] });
    on.answer = () => FAIL;
    await on.raise(eventsFor(19, account, { type: "eta_changed" }));
    await on.raise(eventsFor(20, account, { type: "customs_hold" }));
    await on.until(
      async () => (await endpointOf(twenty.id))["active"] === false,
      "the twentieth failure disables",
    );
    await on.until(async () => (await endpointOf(nineteen.id))["failure_count"] === 19, "nineteen failures");
    assert.equal((await endpointOf(nineteen.id))["active"], true);
    assert.equal((await endpointOf(twenty.id))["failure_count"], 20);
    on.arrivals.length = 0;
    await on.raise([eventFor(account, { type: "customs_hold" })]);
    await on.clock.advance(3_600_000);
    await on.settle();
    assert.deepEqual(arrivalsFor(twenty.id), [], "nothing is sent to an endpoint that was disabled");
    const queued = (await on.deliveries(twenty.id)).length;
    assert.equal(queued, 20, "nothing is queued for an endpoint that was disabled");
  });

  test("is counted and said when it is disabled, and what it misses from then on is counted for it alone", async () => {
    const { account, id } = await on.receiver({ eventTypes: ["eta_changed"] });
    const other = await on.endpoint(account, { eventTypes: ["customs_hold"] });
    const said = on.lines.length;
    on.answer = ({ url }) => (url.endsWith(id) ? FAIL : OK);
    const changed = eventFor(account, { type: "eta_changed" });
    await on.raise(Array.from({ length: 20 }, () => changed));
    await on.until(async () => (await endpointOf(id))["active"] === false, "the twentieth failure disables");
    const warnings = on.lines.slice(said).filter(({ level }) => level === "warn");
    assert.deepEqual(
      warnings.map(({ fields, message }) => [(fields as { endpoint?: string }).endpoint, message]),
      [[id, "an endpoint was disabled after consecutive failures"]],
    );
    assert.deepEqual(on.disabled.slice(-1), ["tracking"]);
    const raised = await on.raise([changed, changed, eventFor(account, { type: "customs_hold" }), changed]);
    assert.deepEqual(raised, { kind: "raised", accepted: 4, duplicates: 0, deliveries: 1 });
    const missed = async (of: string) =>
      (
        await on.sql(
          "select missed_events::int as missed, disabled_reason as reason from cell.endpoints where id = $1",
          [of],
        )
      )[0]!;
    await on.until(async () => (await missed(id))["missed"] === 3, "what it missed is written");
    assert.deepEqual(await missed(other.id), { missed: 0, reason: null });
    assert.equal((await missed(id))["reason"], "failures");
    await setActive(account, id, true);
    assert.deepEqual(await missed(id), { missed: 0, reason: null });
    await setActive(account, id, false);
    assert.deepEqual(await missed(id), { missed: 0, reason: "paused" });
  });

  // spec 3.2: paused, resumed; 6.1: active_only; 3.1: raised
  test("what was pending while it is inactive is parked and goes on where it stopped, under the same secret", async () => {
    const { account, id, secret } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(async () => (await endpointOf(id))["failure_count"] === 1, "one failure");
    await setActive(account, id, false);
    on.arrivals.length = 0;
    await on.raise([eventFor(account)]);
    await on.clock.advance(3_600_000);
    await on.settle();
    assert.deepEqual(arrivalsFor(id), [], "nothing is sent while it is paused");
    on.answer = () => OK;
    await setActive(account, id, true);
    await on.until(() => arrivalsFor(id).length === 1, "the parked delivery is sent");
    await on.delivered(id);
    const [row] = await on.deliveries(id);
    assert.equal(row!["attempt_count"], 2);
    await on.raise([eventFor(account, { type: "eta_changed" })]);
    await on.until(() => arrivalsFor(id).length === 2, "an event raised after the pause");
    await on.settle();
    assert.equal(arrivalsFor(id).length, 2, "the event that was raised while paused is not backfilled");
    for (const { body, headers } of arrivalsFor(id)) {
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      assert.equal(headers["x-tracking-signature"], `sha256=${signature}`);
    }
  });

  // spec 3.2: ping; 6.1: ping
  test("a ping that fails counts like an event, is retried, and disables at the twentieth failure", async () => {
    const { account, id } = await on.receiver();
    await on.sql("update cell.endpoints set failure_count = 18 where id = $1", [id]);
    on.answer = () => FAIL;
    const ping = await on.drive(on.engine.ping(on.cell, account, id));
    assert.ok(typeof ping !== "string");
    await on.until(async () => (await endpointOf(id))["failure_count"] === 19, "the first failure");
    await on.clock.advance(10_000);
    await on.until(async () => (await endpointOf(id))["active"] === false, "the retry's failure disables");
    assert.equal(arrivalsFor(id).length, 2);
    const [row] = await on.sql("select attempt_count from cell.deliveries where id = $1", [ping.id]);
    assert.equal(row!["attempt_count"], 2);
  });

  test("what has been parked for longer than three days is dead", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(async () => (await endpointOf(id))["failure_count"] === 1, "one failure");
    await setActive(account, id, false);
    await on.sql("update cell.endpoints set inactive_since = $2 where id = $1", [
      id,
      new Date(on.clock.nowMs() - 3 * 86_400_000 - 1000),
    ]);
    await on.clock.advance(31_000);
    assert.equal((await on.deliveries(id))[0]!["status"], "dead");
    assert.deepEqual(await on.sql("select * from cell.queue where endpoint_id = $1", [id]), []);
  });

  // spec 3.2: paused
  test("a pause that was answered is followed by no attempt, in the middle of a flood", async () => {
    const { account, id } = await on.receiver();
    const events = eventsFor(100, account);
    on.answer = () => "hang";
    await on.drive(Promise.all([on.engine.raise(events), on.engine.raise(events)]));
    for (let ended = 0; ended < 8; ended++) {
      await on.until(() => on.hanging.length > 0, "an open request");
      on.hanging.shift()!(OK);
    }
    await setActive(account, id, false);
    const sent = arrivalsFor(id).length;
    for (const done of on.hanging.splice(0)) done(OK);
    await on.clock.advance(60_000);
    await on.settle();
    assert.equal(arrivalsFor(id).length, sent);
    on.answer = () => OK;
    await setActive(account, id, true);
    await on.until(() => arrivalsFor(id).length === 200, "every delivery arrives after all");
    assert.equal(new Set(arrivalsFor(id).map(({ headers }) => headers["x-tracking-delivery"])).size, 200);
  });

  // spec 4.1: delete
  test("a deleted endpoint gets nothing more, and its history goes", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(async () => (await endpointOf(id))["failure_count"] === 1, "one failure");
    await on.remove(account, id);
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    on.arrivals.length = 0;
    const noted = () => on.sql("select from cell.deleted_endpoints where endpoint_id = $1", [id]);
    assert.equal((await noted()).length, 1);
    await on.clock.advance(121_000);
    await on.until(async () => (await noted()).length === 0, "nothing of it is left to prune");
    await on.settle();
    assert.equal(on.arrivals.length, 0);
    assert.deepEqual(await on.sql("select * from cell.deliveries where endpoint_id = $1", [id]), []);
    assert.deepEqual(await on.sql("select * from cell.queue where endpoint_id = $1", [id]), []);
  });
});
