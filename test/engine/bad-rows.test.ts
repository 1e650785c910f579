/** Rows for which statements fail though the server answers: each costs itself, and no other. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { eventFor, eventsFor, FAIL, OK, startHarness, type Harness } from "./harness.ts";
import { intercept } from "./statements.ts";
import { column } from "../support/columns.ts";

const TEAPOT = { kind: "answered", statusCode: 418 } as const;

describe("a row for which statements fail, though the server answers", () => {
  let on: Harness;
  before(async () => {
    const settings = { openPerEndpointMax: 64, settleDelayMs: 200, capacityWaitMsMax: 1, stallMs: 60_000 };
    on = await startHarness(settings, { cells: 1 });
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
    logged = on.lines.length;
  });
  afterEach(async () => {
    await heal();
    for (const done of on.hanging.splice(0)) done(OK);
    await on.clock.advance(1_000);
  });

  let logged = 0;
  const errors = () => on.lines.slice(logged).filter(({ level }) => level === "error");
  let heal = async () => {};

  /** Fails every update of the rows of `table` for which `condition` holds, with the SQLSTATE, until it is healed. */
  async function fail(table: string, condition: string, state: string): Promise<void> {
    heal = async () => void (await on.sql("drop function if exists cell.fail cascade"));
    await on.sql(
      `create function cell.fail() returns trigger language plpgsql as
       $$ begin raise exception 'a row that fails' using errcode = '${state}'; end $$`,
    );
    await on.sql(
      `create trigger fail before update on cell.${table} for each row when (${condition})
       execute function cell.fail()`,
    );
  }

  const countOf = async (endpointId: string, status: string) =>
    (await on.deliveries(endpointId)).filter((row) => row["status"] === status).length;
  const delivered = (id: string, count: number, what: string) =>
    on.until(async () => (await countOf(id, "delivered")) === count, what);
  const queued = async (id: string) =>
    (await on.sql("select from cell.queue where endpoint_id = $1", [id])).length;

  for (const [what, state] of [
    ["the row is refused", "23514"],
    ["the server has a fault", "58030"],
  ] as const)
    test(`costs its own result and no other of the batch where ${what}`, async () => {
      await fail("deliveries", "new.last_status_code = 418", state);
      const { account, id } = await on.receiver();
      on.answer = () => (on.arrivals.length === 3 ? TEAPOT : OK);
      await on.raise(eventsFor(40, account));
      await delivered(id, 39, "all others");
      await on.raise([eventFor(account)]);
      await delivered(id, 40, "the later ones");
      await on.settle();
      assert.deepEqual(column(errors(), "message"), [
        "the database refuses the result of an attempt; every sweep retries it",
      ]);
      assert.equal(on.engine.gauges().inFlight, 1, "its attempt is not made again");
      await heal();
      await on.clock.advance(60_000);
      await delivered(id, 41, "and it, in the end");
      await on.settle();
      assert.equal(on.engine.gauges().inFlight, 0);
      const attempts = (await on.deliveries(id)).map((row) => Number(row["attempt_count"]));
      assert.deepEqual([Math.max(...attempts), on.arrivals.length], [2, 42], "each attempt counts once");
    });

  test("costs its own endpoint's claims and nobody else's", async () => {
    const account = await on.account();
    const bad = await on.endpoint(account, { eventTypes: ["eta_changed"] });
    const good = await on.endpoint(account, { eventTypes: ["vessel_departed"] });
    on.answer = () => FAIL;
    await on.raise([eventFor(account), eventFor(account, { type: "eta_changed" })]);
    await on.until(async () => (await queued(bad.id)) + (await queued(good.id)) === 2, "two retries");
    await fail("queue", `new.endpoint_id = '${bad.id}' and new.node is not null`, "XX001");
    on.answer = () => OK;
    await on.clock.advance(15_000);
    await on.delivered(good.id);
    assert.equal(on.engine.illCells().size, 0);
    const failures = errors().filter(({ message }) => message.startsWith("nothing can be claimed for"));
    assert.ok(failures.length > 0);
    for (const { fields } of failures) assert.ok(JSON.stringify(fields).includes(bad.id));
    await heal();
    await on.clock.advance(60_000);
    await on.delivered(bad.id);
  });

  test("costs its own way back to the queue, and nobody else's", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.raise(eventsFor(8, account));
    await on.until(() => on.hanging.length === 4, "four attempts; four wait");
    const all = await on.sql("select id from cell.deliveries where endpoint_id = $1 order by id", [id]);
    await fail("deliveries", `new.id = '${String(all[5]!["id"])}' and new.node is null`, "XX001");
    await on.change(account, id, { active: false });
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    await on.until(async () => (await queued(id)) === 3, "the others go back");
    await heal();
    await on.clock.advance(31_000);
    await on.until(async () => (await queued(id)) === 4, "and it, with a sweep");
  });

  test("stops the sending and takes readiness away when it is a hundred of them, until they are written", async () => {
    let isRefused = true;
    heal = async () => void (isRefused = false);
    const refuse = () => Promise.reject(new Error("a row that is refused"));
    intercept(on, (name) => (isRefused && name.startsWith("delivery_settle@") ? refuse : null));
    const { account, id } = await on.receiver();
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
    await heal();
    await on.clock.advance(31_000);
    await on.until(() => !on.engine.illCells().has(on.cell), "it recovers");
    await on.clock.advance(300_000);
    await delivered(id, 150, "everything");
    assert.equal(on.arrivals.length, 150, "none is sent twice");
  });
});
