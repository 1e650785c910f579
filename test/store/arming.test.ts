/** Demurrage alerting is armed in the account's cell together with the directory's flag. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { sendAsOperator, startService, type TestService } from "../support/service.ts";

describe("arming demurrage alerting", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const create = async (): Promise<string> =>
    (await sendAsOperator(service, "POST", "/v1/accounts", { name: "Acme" })).body.id;
  const arm = async (id: string, on: boolean): Promise<void> => {
    const answer = await sendAsOperator(service, "PATCH", `/v1/accounts/${id}`, { demurrage_alerting: on });
    assert.deepEqual([answer.status, answer.body.demurrage_alerting], [200, on]);
    await service.test.forward();
  };
  const rowsOf = async (sql: string, values: unknown[]) => {
    const all = service.test.cells.map((cell) => service.test.queryIn(cell, sql, values));
    return (await Promise.all(all)).flatMap(({ rows }) => rows);
  };
  const armedAt = async (id: string): Promise<Date | null> =>
    (await rowsOf("select demurrage_armed_at as at from cell.accounts where id = $1", [id]))[0].at;
  const shipments = async (id: string) =>
    (
      await rowsOf(
        "select reference, changes_at as at from cell.shipments where account_id = $1 order by reference",
        [id],
      )
    ).map(({ reference, at }) => [reference, at?.getTime() ?? null]);

  test("an account is armed from the moment of the first change, and disarmed by another", async () => {
    const id = await create();
    assert.equal(await armedAt(id), null);
    const firstMs = service.clock.nowMs();
    await arm(id, true);
    await service.clock.advance(60_000);
    await arm(id, true);
    assert.equal((await armedAt(id))?.getTime(), firstMs);
    await arm(id, false);
    assert.equal(await armedAt(id), null);
    await arm(id, true);
    assert.equal((await armedAt(id))?.getTime(), firstMs + 60_000);
  });

  test("arming makes only the account's own live shipments due for reevaluation", async () => {
    const [id, other] = [await create(), await create()];
    const nowMs = service.clock.nowMs();
    const add = (accountId: string, reference: string, status: string, changesMs: number | null) =>
      rowsOf(
        `insert into cell.shipments (id, account_id, reference, status, carrier, record, changes_at, created_at)
         select gen_random_uuid(), id, $2, $3, 'HRNL', case $3 when 'pending' then null else '{}' end, $4, $5
         from cell.accounts where id = $1`,
        [accountId, reference, status, changesMs === null ? null : new Date(changesMs), new Date(nowMs)],
      );
    await add(id, "ASHORE1", "discharged", null);
    await add(id, "ASHORE2", "available", nowMs + 1);
    await add(id, "ATSEA", "in_transit", nowMs - 5);
    await add(id, "DELIVERED", "delivered", null);
    await add(id, "PENDING", "pending", null);
    await add(other, "OTHERS", "discharged", null);
    await arm(id, true);
    assert.deepEqual(await shipments(id), [
      ["ASHORE1", nowMs],
      ["ASHORE2", nowMs],
      ["ATSEA", nowMs - 5],
      ["DELIVERED", null],
      ["PENDING", null],
    ]);
    assert.deepEqual(await shipments(other), [["OTHERS", null]]);
  });

  test("a change that leaves the alerting out leaves it as it is", async () => {
    const id = await create();
    await arm(id, true);
    const armedBefore = await armedAt(id);
    await sendAsOperator(service, "PATCH", `/v1/accounts/${id}`, { name: "New" });
    assert.deepEqual(await armedAt(id), armedBefore);
  });
});
