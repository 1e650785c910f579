import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { eventFor, eventsFor, FAIL, OK, startHarness, type Harness } from "./harness.ts";

describe("a sender that throws", () => {
  let on: Harness;
  afterEach(() => on.stop());

  const throwTimes = (times: number) => {
    let thrown = 0;
    on.answer = () => {
      if (thrown++ < times) throw new TypeError("a fault of the sender");
      return OK;
    };
  };

  test("costs a raised delivery a moment and no attempt, and the process goes on", async () => {
    on = await startHarness();
    const { account, id } = await on.receiver();
    throwTimes(1);
    await on.raise([eventFor(account)]);
    await on.clock.advance(1_000);
    await on.delivered(id);
    assert.equal((await on.deliveries(id))[0]!["attempt_count"], 1);
    const errors = on.lines.filter(({ level }) => level === "error");
    assert.equal(errors.length, 1, "it is logged");
    assert.match(JSON.stringify(errors[0]!.fields, ["err", "message"]), /err/, "with its cause");
  });

  test("costs a claimed delivery no more, and the node goes on sending", async () => {
    on = await startHarness();
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(async () => (await on.deliveries(id))[0]!["attempt_count"] === 1, "the first attempt");
    throwTimes(1);
    await on.clock.advance(12_000);
    await on.delivered(id);
    const other = await on.endpoint(account, { eventTypes: ["eta_changed"] });
    await on.raise([eventFor(account, { type: "eta_changed" })]);
    await on.delivered(other.id);
  });

  test("leaks nothing: no open request, no place in memory", async () => {
    on = await startHarness({ openMax: 2, openPerEndpointMax: 2 });
    const { account, id } = await on.receiver();
    throwTimes(50);
    await on.raise(eventsFor(20, account));
    await on.clock.advance(60_000);
    await on.delivered(id);
    await on.settle();
    const { inFlight, inFlightBytes, open } = on.engine.gauges();
    assert.deepEqual(
      { inFlight: inFlight, inFlightBytes: inFlightBytes, open },
      { inFlight: 0, inFlightBytes: 0, open: 0 },
    );
    assert.equal(on.arrivals.filter(({ url }) => url.endsWith(id)).length, 70);
  });

  test("counts once when it reports an attempt twice", async () => {
    on = await startHarness();
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.raise([eventFor(account)]);
    await on.until(() => on.hanging.length === 1, "the attempt");
    const done = on.hanging.shift()!;
    done(OK);
    done(FAIL);
    await on.delivered(id);
    await on.settle();
    const { inFlight, inFlightBytes, open } = on.engine.gauges();
    assert.deepEqual(
      { inFlight: inFlight, inFlightBytes: inFlightBytes, open },
      { inFlight: 0, inFlightBytes: 0, open: 0 },
    );
    assert.deepEqual([...on.engine.brokenInvariants()], [["attempt_ends_once", 1]]);
    on.mayBreakInvariants = true;
  });
});
