import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { eventFor, eventsFor, FAIL, OK, startHarness, type Harness } from "./harness.ts";

describe("deliveries to endpoints that hang or fail", () => {
  let on: Harness;
  afterEach(() => on.stop());

  const countFor = (id: string) => on.arrivals.filter((arrival) => arrival.url.endsWith(id)).length;

  test("take no capacity from healthy ones, however many deliveries wait for them", async () => {
    on = await startHarness({ openMax: 16, degradedOpenMax: 4, memoryDeliveriesMax: 100 }, { cells: 1 });
    const account = await on.account();
    for (let index = 0; index < 6; index++) await on.endpoint(account, { eventTypes: ["eta_changed"] });
    const healthy = await on.endpoint(account, { eventTypes: ["vessel_departed"] });
    on.answer = ({ url }) => (url.endsWith(healthy.id) ? OK : "hang");
    await on.raise(eventsFor(100, account, { type: "eta_changed" }));
    await on.settle();
    await on.clock.advance(2_000);
    for (let round = 0; round < 5; round++) await on.raise(eventsFor(40, account));
    await on.until(() => countFor(healthy.id) === 200, "all deliveries of the endpoint that is well");
    assert.ok(on.engine.gauges().inFlight <= 100, "what does not fit in the memory waits in the database");
    assert.ok(on.hanging.length <= 16 + 4, "open requests are bounded");
  });

  test("fill the memory budget and not one more, and nothing is lost over it", async () => {
    on = await startHarness({ memoryDeliveriesMax: 25, openMax: 4, capacityWaitMsMax: 10 }, { cells: 1 });
    const { account, id } = await on.receiver();
    let most = 0;
    on.answer = () => {
      most = Math.max(most, on.engine.gauges().inFlight);
      return OK;
    };
    const raising = Promise.all(Array.from({ length: 8 }, () => on.engine.raise(eventsFor(25, account))));
    await on.until(() => countFor(id) >= 200, "all deliveries");
    await on.drive(raising);
    await on.settle();
    assert.equal(new Set(on.arrivals.map((arrival) => arrival.headers["x-tracking-delivery"])).size, 200);
    assert.equal(on.arrivals.length, 200, "none twice");
    assert.ok(most <= 25, `held ${most}`);
  });

  test("to one that recovers go at once, however many hang", async () => {
    on = await startHarness({ openMax: 2, degradedOpenMax: 1 }, { cells: 1 });
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

  test("that cannot be sent for want of a socket are sent a moment later, and nothing is counted", async () => {
    on = await startHarness({}, { cells: 1 });
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

  test("of a sender that throws costs a moment and no attempt, and leaks nothing", async () => {
    on = await startHarness({ openMax: 2, openPerEndpointMax: 2 }, { cells: 1 });
    const { account, id } = await on.receiver({ failureCount: 3 });
    let thrown = 0;
    on.answer = () => {
      if (thrown++ < 50) throw new TypeError("a fault of the sender");
      return OK;
    };
    await on.raise(eventsFor(20, account));
    await on.clock.advance(60_000);
    await on.delivered(id);
    await on.settle();
    const { inFlight, inFlightBytes, open, degradedQueues } = on.engine.gauges();
    assert.deepEqual([inFlight, inFlightBytes, open, degradedQueues], [0, 0, 0, 0]);
    assert.equal(on.arrivals.length, 70);
    assert.deepEqual(new Set((await on.deliveries(id)).map((row) => row["attempt_count"])), new Set([1]));
    const error = on.lines.find(({ level }) => level === "error");
    assert.match(String((error!.fields as { err: unknown }).err), /a fault of the sender/, "it is logged");
  });
});
