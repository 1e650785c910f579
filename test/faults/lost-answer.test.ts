import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { eventFor, FAIL, startHarness, type Harness } from "../engine/harness.ts";

describe("an answer of the database that is lost", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness();
  });
  after(() => on.stop());

  /** Executes the next statement of this name, and loses its answer. */
  function loseAnswer(name: string): void {
    const database = on.test.database as { rows: Database["rows"] };
    const { rows } = database;
    database.rows = async (statement, parameters) => {
      const answer = await rows(statement, parameters);
      if (!statement.name.startsWith(`${name}@`)) return answer;
      database.rows = rows;
      throw new StoreUnavailable("the answer is lost");
    };
  }

  test("to the results that disable an endpoint: the node still sends it nothing more", async () => {
    const account = await on.account();
    const { id } = await on.endpoint(account, { failureCount: 19 });
    on.answer = () => FAIL;
    loseAnswer("delivery_settle");
    await on.drive(on.engine.raise([eventFor(account)]));
    const endpoint = async () =>
      (await on.sql("select active, failure_count from cell.endpoints where id = $1", [id]))[0];
    await on.until(async () => (await endpoint())!["active"] === false, "it is disabled");
    await on.until(() => on.engine.gauges().inFlight === 0, "the results are written again");
    for (let sweeps = 0; sweeps < 4; sweeps++) {
      await on.clock.advance(20_000);
      await on.settle();
    }
    assert.equal(on.arrivals.length, 1);
    assert.deepEqual({ ...(await endpoint()) }, { active: false, failure_count: 20 });
  });
});
