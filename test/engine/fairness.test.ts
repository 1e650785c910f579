import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { eventFor, eventsFor, FAIL, OK, startHarness, type Harness } from "./harness.ts";

describe("endpoints that hang or fail", () => {
  let on: Harness;
  afterEach(() => on.stop());

  const countFor = (id: string) => on.arrivals.filter((arrival) => arrival.url.endsWith(id)).length;

  test("take no capacity from healthy ones, however many deliveries wait for them", async () => {
    on = await startHarness({ openMax: 32, degradedOpenMax: 8, memoryDeliveriesMax: 400 });
    const account = await on.account();
    const hung = [];
    for (let index = 0; index < 6; index++)
      hung.push(await on.endpoint(account, { eventTypes: ["eta_changed"] }));
    const healthy = await on.endpoint(account, { eventTypes: ["vessel_departed"] });
    const hungIds = new Set(hung.map((endpoint) => endpoint.id));
    on.answer = (request) => (hungIds.has(request.url.split("/").at(-1)!) ? "hang" : OK);
    await on.raise(eventsFor(300, account, { type: "eta_changed" }));
    await on.settle();
    await on.clock.advance(2_000);
    for (let round = 0; round < 10; round++) {
      await on.raise(eventsFor(50, account));
    }
    await on.until(() => countFor(healthy.id) === 500, "all deliveries of the endpoint that is well");
    assert.ok(
      on.engine.gauges().inFlight <= 400,
      "what does not fit in the memory budget waits in the database",
    );
    assert.ok(on.hanging.length <= 32 + 8, "open requests are bounded");
  });

  test("the memory budget holds what it may and not one more, and nothing is lost over it", async () => {
    on = await startHarness({ memoryDeliveriesMax: 50, openMax: 4, capacityWaitMsMax: 10 });
    const { account, id } = await on.receiver();
    let most = 0;
    on.answer = () => {
      most = Math.max(most, on.engine.gauges().inFlight);
      return OK;
    };
    const raising = Promise.all(Array.from({ length: 8 }, () => on.engine.raise(eventsFor(100, account))));
    await on.until(() => countFor(id) >= 800, "all deliveries");
    await on.drive(raising);
    await on.settle();
    assert.equal(new Set(on.arrivals.map((arrival) => arrival.headers["x-tracking-delivery"])).size, 800);
    assert.equal(on.arrivals.length, 800, "none twice");
    assert.ok(most <= 50, `held ${most}`);
  });

  test("one that recovers is served at once, however many hang", async () => {
    on = await startHarness({ openMax: 2, degradedOpenMax: 1 });
    const { account } = await on.receiver({ eventTypes: ["eta_changed"] });
    const recovering = await on.endpoint(account, { eventTypes: ["vessel_departed"] });
    on.answer = () => "hang";
    await on.raise([eventFor(account, { type: "eta_changed" })]);
    await on.until(
      () => on.engine.gauges().degradedQueues === 1,
      "the one that hangs fills the capacity there is",
    );
    await on.raise(eventsFor(8, account));
    await on.until(() => on.hanging.length === 3, "two attempts");
    on.answer = () => OK;
    const [first, second] = on.hanging.splice(1) as [(typeof on.hanging)[0], (typeof on.hanging)[0]];
    first(FAIL);
    second(OK);
    await on.until(() => countFor(recovering.id) >= 8, "the others");
    assert.equal(on.hanging.length, 1);
  });

  test("what cannot be sent for want of a socket is sent a moment later, and nothing is counted", async () => {
    on = await startHarness();
    const { account, id } = await on.receiver();
    on.answer = () => ({ kind: "unsent", error: { code: "out_of_sockets", text: "none left" } });
    await on.raise(eventsFor(10, account));
    await on.clock.advance(60_000);
    const tried = on.arrivals.length;
    assert.ok(tried > 10 && tried < 1_000, `tried ${tried} times`);
    on.answer = () => OK;
    await on.until(() => on.arrivals.length === tried + 10, "all of them");
    await on.until(async () => (await on.countPending()) === 0, "all of them are settled");
    const states = await on.sql(
      `select d.status, d.attempt_count, p.failure_count from cell.deliveries d
       join cell.endpoints p on p.id = d.endpoint_id where p.id = $1 group by 1, 2, 3`,
      [id],
    );
    assert.deepEqual(
      states.map((state) => ({ ...state })),
      [{ status: "delivered", attempt_count: 1, failure_count: 0 }],
    );
  });

  test("an endpoint that recovers gets its capacity back", async () => {
    on = await startHarness();
    const { account, id } = await on.receiver({ failureCount: 3 });
    assert.equal(on.engine.gauges().degradedQueues, 0);
    await on.raise(eventsFor(100, account));
    await on.until(() => countFor(id) === 100, "all deliveries");
    await on.settle();
    assert.equal(on.engine.gauges().degradedQueues, 0);
    const failures = async () =>
      (await on.sql("select failure_count from cell.endpoints where id = $1", [id]))[0]!["failure_count"];
    await on.until(async () => (await failures()) === 0, "its failures are forgotten");
  });
});
