/** What the operator learns while the server of one cell of two is gone. */
import assert from "node:assert/strict";
import { randomBytes, randomUUIDv7 } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { askCells } from "../../src/operator/find-in-cells.ts";
import { cellsNamed, nameOfCell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { column } from "../support/answers.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { createListeners, sendAsOperator, type TestListeners } from "../support/service.ts";

const NOWHERE = { url: "postgres://nobody@127.0.0.1:1/nothing" };

describe("a cell that does not answer", () => {
  let on: TestDatabase;
  let database: Database;
  let listeners: TestListeners;
  let gone: TestDatabase["cells"][number];
  before(async () => {
    on = await createTestDatabase({ cells: 2 });
    gone = on.cells.at(-1)!;
    const homes = fixedHomes((schema) => (schema === gone.schema ? NOWHERE : on.address));
    database = openDatabaseOn(homes, {
      sessionName: "boathook test",
      connectionsMax: 10,
      connectTimeoutMs: 5_000,
      onIdleError: () => undefined,
    });
    listeners = createListeners(
      {},
      {
        database,
        cells: on.cells,
        productCells: on.productCells,
        clock: manualClock(),
        engine: fakeEngine(),
        log: silentLog,
        masterKeys: [randomBytes(32)],
      },
    );
    for (const cell of on.cells) {
      const id = randomUUIDv7();
      await on.queryIn(cell, "insert into cell.accounts (id) values ($1)", [id]);
      await on.queryIn(
        cell,
        `insert into cell.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash,
           active, failure_count, created_at)
         values ($1, $2, 'rates', 'https://example.com/', '{}', '', '', true, 3, now())`,
        [randomUUIDv7(), id],
      );
    }
  });
  after(async () => {
    await listeners.api.close();
    await listeners.ops.close();
    await database.close();
    await on.drop();
  });

  test("is named by every list, beside what the others have", async () => {
    for (const [path, rows, count] of [
      ["/v1/endpoints", "endpoints", 1],
      ["/v1/endpoints/failing", "endpoints", 1],
      ["/v1/deliveries", "deliveries", 0],
      ["/v1/events", "events", 0],
    ] as const) {
      const { status, body } = await sendAsOperator(listeners, "GET", path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.unavailable_cells, body[rows].length], [[nameOfCell(gone)], count], path);
    }
  });

  test("is named by /v1/migrations, beside the schemas that answer", async () => {
    const { status, body } = await sendAsOperator(listeners, "GET", "/v1/migrations");
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.unavailable_cells, [nameOfCell(gone)]);
    const answered = [...on.cells, ...on.productCells.all].filter((cell) => cell !== gone).map(nameOfCell);
    const named: readonly string[] = column(body.schemas, "name");
    assert.deepEqual(named.toSorted(), ["directory", ...answered].toSorted());
  });

  test("is in trouble by the status", async () => {
    const { status, body } = await sendAsOperator(listeners, "GET", "/v1/status");
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.endpoints.failing, 1);
    const troubled = body.cells.filter(({ trouble }: { trouble: string | null }) => trouble !== null);
    assert.deepEqual(column(troubled, "name"), [nameOfCell(gone)]);
  });

  test("may have an endpoint that no other has: 503, and not 404", async () => {
    for (const path of [`/v1/endpoints/${randomUUIDv7()}`, `/v1/deliveries/${randomUUIDv7()}`])
      assert.equal((await sendAsOperator(listeners, "GET", path)).status, 503, path);
  });
});

test("few cells of many are asked at once", async () => {
  let [running, most] = [0, 0];
  const { answers } = await askCells(
    { clock: manualClock(), cells: cellsNamed("boathook", 9) },
    async ({ number }) => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      return number;
    },
  );
  assert.deepEqual([answers.length, most], [9, 4]);
});
