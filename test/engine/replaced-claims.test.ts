import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { takeOverNode } from "../../src/store/nodes/nodes.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { eventFor, eventsFor, OK, startHarness, type Harness } from "./harness.ts";

describe("a node that was replaced and has joined again", () => {
  let on: Harness;
  afterEach(() => on.stop());

  const node = async () => Number((await on.sql("select max(id) as id from cell.nodes"))[0]!["id"]);
  const statuses = async () =>
    (await on.sql("select status from cell.deliveries order by id")).map((row) => row["status"]);

  test("ends a delivery that it claims while its former attempt still hangs", async () => {
    on = await startHarness({}, { cells: 1 });
    const { account } = await on.receiver();
    on.answer = () => "hang";
    await on.raise([eventFor(account)]);
    await on.until(() => on.hanging.length === 1, "the first attempt");
    const former = await node();
    assert.equal(await takeOverNode(on.test.database, on.cell, former, on.clock.nowMs()), 1);
    on.answer = () => OK;
    await on.until(async () => (await node()) !== former, "it joins again");
    await on.until(async () => (await statuses())[0] === "delivered", "the delivery, under its new number");
    on.hanging.shift()!(OK);
    await on.settle();
    assert.deepEqual(
      (({ inFlight, inFlightBytes, open }) => ({ inFlight: inFlight, inFlightBytes: inFlightBytes, open }))(
        on.engine.gauges(),
      ),
      {
        inFlight: 0,
        inFlightBytes: 0,
        open: 0,
      },
    );
    assert.deepEqual(await on.sql("select from cell.queue"), []);
  });

  test("keeps what it claims though the answer to its release was lost before", async () => {
    on = await startHarness({}, { cells: 1 });
    const { database } = on.test;
    const { account, id } = await on.receiver();
    on.answer = () => "hang";
    await on.raise(eventsFor(3, account));
    await on.until(() => on.hanging.length === 3, "three attempts");
    // A pause releases what waits; here nothing waits, so the deliveries go back unsent.
    const rows = (database as { rows: typeof database.rows }).rows;
    let lost = 0;
    Object.assign(database, {
      rows: async (statement: { readonly name: string }, parameters: readonly unknown[]) => {
        const answer = await rows(statement as never, parameters);
        if (!statement.name.startsWith("delivery_release@") || lost >= 2) return answer;
        lost += 1;
        throw new StoreUnavailable("the answer was lost", { commitUnknown: true });
      },
    });
    const unsent = { kind: "unsent", error: { code: "name_server", text: "none answers" } } as const;
    await on.sql("update cell.endpoints set active = false, inactive_since = now() where id = $1", [id]);
    await on.sql("update cell.accounts set routing_version = routing_version + 1 where id = $1", [account]);
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    for (const done of on.hanging.splice(0)) (done as (result: unknown) => void)(unsent);
    await on.until(() => lost === 2, "two answers are lost");
    await on.sql("update cell.endpoints set active = true, inactive_since = null where id = $1", [id]);
    await on.sql("update cell.accounts set routing_version = routing_version + 1 where id = $1", [account]);
    await on.drive(on.engine.endpointChanged(on.cell, account, id));
    await on.until(() => on.hanging.length === 3, "they are claimed and sent");
    await on.clock.advance(31_000);
    const claimed = await on.sql("select node from cell.queue");
    assert.deepEqual(
      claimed.map((row) => row["node"]),
      Array.from({ length: 3 }, () => claimed[0]!["node"]),
    );
    assert.notEqual(claimed[0]!["node"], null, "the sweep does not release what is being sent");
  });
});
