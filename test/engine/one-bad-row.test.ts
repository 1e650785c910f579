import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { eventFor, eventsFor, FAIL, OK, startHarness, type Harness } from "./harness.ts";

describe("one row for which statements fail, though the server answers", () => {
  let on: Harness;
  afterEach(() => on.stop());

  /** Fails every update of the rows of `table` for which `condition` holds, with the SQLSTATE. */
  async function fail(table: string, condition: string, state: string): Promise<void> {
    await on.sql(
      `create function cell.fail() returns trigger language plpgsql as
       $$ begin raise exception 'a row that fails' using errcode = '${state}'; end $$`,
    );
    await on.sql(
      `create trigger fail before update on cell.${table} for each row when (${condition})
       execute function cell.fail()`,
    );
  }

  const countOf = async (status: string) =>
    Number((await on.sql("select count(*) as n from cell.deliveries where status = $1", [status]))[0]!["n"]);

  for (const state of ["58030", "57014", "42501"]) {
    test(`costs its own result and no other: ${state}`, async () => {
      on = await startHarness({ openPerEndpointMax: 64, settleDelayMs: 200 });
      await fail("deliveries", "new.last_status_code = 418", state);
      const { account } = await on.receiver();
      let arrivals = 0;
      on.answer = () => (++arrivals === 3 ? { kind: "answered", statusCode: 418 } : OK);
      await on.raise(eventsFor(40, account));
      await on.until(async () => (await countOf("delivered")) === 39, "all others");
      await on.raise([eventFor(account)]);
      await on.until(async () => (await countOf("delivered")) === 40, "the later ones");
      await on.sql("drop trigger fail on cell.deliveries");
      await on.clock.advance(60_000);
      await on.until(async () => (await countOf("delivered")) === 41, "and it, in the end");
    });
  }

  test("costs its own endpoint's claims and nobody else's", async () => {
    on = await startHarness();
    const account = await on.account();
    const bad = await on.endpoint(account, { eventTypes: ["eta_changed"] });
    for (let count = 0; count < 5; count += 1)
      await on.endpoint(account, { eventTypes: ["vessel_departed"] });
    on.answer = () => FAIL;
    await on.raise([eventFor(account), eventFor(account, { type: "eta_changed" })]);
    await on.until(async () => (await on.sql("select from cell.queue")).length === 6, "six retries");
    await fail("queue", `new.endpoint_id = '${bad.id}' and new.node is not null`, "XX001");
    on.answer = () => OK;
    await on.clock.advance(15_000);
    await on.until(async () => (await countOf("delivered")) === 5, "the others");
    assert.equal(on.engine.illCells().size, 0);
    const logged = on.lines.filter(({ message }) => message.startsWith("nothing can be claimed for"));
    assert.ok(logged.length > 0 && logged.every(({ fields }) => JSON.stringify(fields).includes(bad.id)));
    await on.sql("drop trigger fail on cell.queue");
    await on.clock.advance(60_000);
    await on.until(async () => (await countOf("delivered")) === 6, "and it, in the end");
  });

  test("costs its own way back to the queue, and nobody else's", async () => {
    on = await startHarness({ openMax: 1 });
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.raise(eventsFor(8, account));
    await on.until(() => on.hanging.length === 1, "one attempt; seven wait");
    const [third] = await on.sql("select id::text as id from cell.deliveries order by id offset 3 limit 1");
    await fail("deliveries", `new.id = '${String(third!["id"])}' and new.node is null`, "XX001");
    await on.change(account, id, { active: false });
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    await on.until(async () => (await on.sql("select from cell.queue")).length >= 6, "the others go back");
    await on.sql("drop trigger fail on cell.deliveries");
    await on.clock.advance(31_000);
    await on.until(async () => (await on.sql("select from cell.queue")).length >= 7, "and it, with a sweep");
  });
});
