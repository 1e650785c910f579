/** The time of the last success, which is not written with every success. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { Connection } from "../../src/store/database.ts";
import { eventFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("the time of an endpoint's last success", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness(HOURS_PASS);
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  const endpointOf = async (id: string) =>
    (await on.sql("select last_delivery_at, failure_count from cell.endpoints where id = $1", [id]))[0]!;
  const lastDeliveredTo = async (id: string) =>
    (await on.sql("select max(delivered_at) as at from cell.deliveries where endpoint_id = $1", [id]))[0]![
      "at"
    ];

  test("forgets no failure that came after it, when it is written late", async () => {
    const { account, id } = await on.receiver();
    for (let round = 0; round < 2; round++) {
      await on.raise([eventFor(account)]);
      await on.until(() => on.arrivals.length === round + 1, "the delivery");
      await on.settle();
    }
    const database = on.test.database as { rows: Connection["rows"] };
    const { rows } = database;
    const { promise, resolve } = Promise.withResolvers<void>();
    let kept = false;
    database.rows = async (statement, parameters) => {
      if (!kept && statement.name === `endpoint_touch@${on.cell.schema}`) {
        kept = true;
        await promise;
      }
      return rows(statement, parameters);
    };
    await on.until(() => kept, "the time of the last success is being written");
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    await on.until(() => on.arrivals.length === 3, "the failure");
    await on.settle();
    resolve();
    database.rows = rows;
    await on.settle();
    assert.equal((await endpointOf(id))["failure_count"], 1);
  });

  test("is written when the node stops a moment later", async () => {
    const { account, id } = await on.receiver();
    const other = await on.join();
    for (let round = 0; round < 3; round++) {
      await on.drive(other.raise([eventFor(account)]));
      await on.until(() => on.arrivals.length === round + 1, "the delivery");
      await on.settle();
    }
    await on.drive(other.stop());
    assert.deepEqual((await endpointOf(id))["last_delivery_at"], await lastDeliveredTo(id));
  });
});
