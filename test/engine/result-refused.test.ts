import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { eventsFor, OK, startHarness, type Harness } from "./harness.ts";

const TEAPOT = { kind: "answered", statusCode: 418 } as const;

describe("a result that the database refuses", () => {
  let on: Harness;
  afterEach(() => on.stop());

  const refuse = (condition: string) =>
    on.sql(`alter table cell.deliveries add constraint poison check (not (${condition})) not valid`);
  const countOf = async (status: string) =>
    (await on.sql("select count(*)::int as n from cell.deliveries where status = $1", [status]))[0]!["n"];
  const errors = () => on.lines.filter(({ level }) => level === "error");

  /** Raises `count` events to one endpoint that answers the third of them with 418. */
  async function raiseWithTeapot(count: number): Promise<void> {
    const { account } = await on.receiver();
    let arrivals = 0;
    on.answer = () => (++arrivals === 3 ? TEAPOT : OK);
    await on.raise(eventsFor(count, account));
  }

  test("costs its own delivery and no other of the batch, is logged once, and waits", async () => {
    on = await startHarness({ openPerEndpointMax: 64, settleDelayMs: 200 });
    await refuse("last_status_code = 418");
    await raiseWithTeapot(40);
    await on.until(async () => (await countOf("delivered")) === 39, "all others");
    await on.settle();
    assert.equal(errors().length, 1);
    assert.match(errors()[0]!.message, /refuses the result of an attempt/);
    assert.equal(on.engine.gauges().inFlight, 1, "its attempt is not made again");
    assert.equal(on.arrivals.length, 40);

    await on.sql("alter table cell.deliveries drop constraint poison");
    await on.clock.advance(31_000);
    await on.until(async () => (await countOf("delivered")) === 40, "the last, after its retry");
    await on.settle();
    assert.equal(on.engine.gauges().inFlight, 0);
    assert.deepEqual(
      await on.sql("select attempt_count from cell.deliveries where attempt_count <> 1"),
      [{ attempt_count: 2 }],
      "the refused attempt counts once",
    );
  });

  test("is written with a plain description if the description is what is refused", async () => {
    on = await startHarness();
    await refuse("last_error like 'http_418%'");
    await raiseWithTeapot(5);
    await on.until(async () => (await countOf("delivered")) === 4, "the others");
    await on.until(
      async () => (await on.sql("select from cell.deliveries where last_status_code = 418")).length === 1,
      "the failure",
    );
    const [row] = await on.sql(
      "select attempt_count, last_error from cell.deliveries where status = 'pending'",
    );
    assert.equal(row!["attempt_count"], 1);
    assert.match(String(row!["last_error"]), /^internal_error: /);
    assert.deepEqual(errors(), []);
  });

  test("stops the sending and takes readiness away when it is a hundred of them, until they are written", async () => {
    on = await startHarness({ capacityWaitMsMax: 1, settleDelayMs: 1 });
    await refuse("status = 'delivered'");
    const { account } = await on.receiver();
    const raise = (count: number) => on.raise(eventsFor(count, account));
    await raise(90);
    await on.until(() => errors().length === 90, "each is logged");
    assert.equal(on.engine.illCells().size, 0);
    await raise(10);
    const reason = "the database refuses the results of attempts";
    await on.until(() => on.engine.illCells().get(on.cell) === reason, "the engine is ill");
    await raise(50);
    await on.settle();
    assert.equal(on.arrivals.length, 100, "nothing more is sent");
    await on.sql("alter table cell.deliveries drop constraint poison");
    await on.clock.advance(31_000);
    await on.until(() => !on.engine.illCells().has(on.cell), "it recovers");
    await on.clock.advance(300_000);
    await on.until(async () => (await countOf("delivered")) === 150, "everything");
    assert.equal(on.arrivals.length, 150, "none is sent twice");
  });
});
