/** What the operator learns while the server of one cell of four is gone. */
import assert from "node:assert/strict";
import { randomBytes, randomUUIDv7 } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { nameOfCell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { createListeners, sendAsOperator, type TestListeners } from "../support/service.ts";

const NOWHERE = { url: "postgres://nobody@127.0.0.1:1/nothing" };
const CELLS = 8;

describe("a cell that does not answer", () => {
  let on: TestDatabase;
  let database: Database;
  let listeners: TestListeners;
  let gone: TestDatabase["cells"][number];
  let running = 0;
  let most = 0;
  before(async () => {
    on = await createTestDatabase({ cells: CELLS });
    gone = on.cells.at(-1)!;
    const homes = fixedHomes((schema) => (schema === gone.schema ? NOWHERE : on.address));
    database = openDatabaseOn(homes, {
      sessionName: "boathook test",
      connectionsMax: 10,
      connectTimeoutMs: 5_000,
      onIdleError: () => undefined,
    });
    const counted: Database = {
      ...database,
      async rows(statement, parameters) {
        running += 1;
        most = Math.max(most, running);
        return database.rows(statement, parameters).finally(() => (running -= 1));
      },
    };
    listeners = createListeners(
      {},
      {
        database: counted,
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

  const lists = {
    "/v1/endpoints": "endpoints",
    "/v1/endpoints/failing": "endpoints",
    "/v1/deliveries": "deliveries",
    "/v1/events": "events",
  };
  for (const [path, rows] of Object.entries(lists)) {
    test(`is named by ${path}, beside what the others have`, async () => {
      const { status, body } = await sendAsOperator(listeners, "GET", path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.unavailable_cells, [nameOfCell(gone)]);
      assert.equal(body[rows].length, rows === "endpoints" ? CELLS - 1 : 0);
    });
  }

  test("is named by /v1/migrations, beside the schemas that answer", async () => {
    const { status, body } = await sendAsOperator(listeners, "GET", "/v1/migrations");
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.unavailable_cells, [nameOfCell(gone)]);
    const answered = [...on.cells, ...on.productCells.all].filter((cell) => cell !== gone).map(nameOfCell);
    const named = body.schemas.map(({ name }: { name: string }) => name);
    assert.deepEqual(named.toSorted(), ["directory", ...answered].toSorted());
  });

  test("is in trouble by the status, which runs few statements at once", async () => {
    most = 0;
    const { status, body } = await sendAsOperator(listeners, "GET", "/v1/status");
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.endpoints.failing, CELLS - 1);
    const troubled = body.cells.filter(({ trouble }: { trouble: string | null }) => trouble !== null);
    assert.deepEqual(
      troubled.map(({ name }: { name: string }) => name),
      [nameOfCell(gone)],
    );
    // One a cell, of four at once; the directory's two besides.
    assert.ok(most <= 6, `${most} at once`);
  });

  test("may have an endpoint that no other has: 503, and not 404", async () => {
    for (const path of [`/v1/endpoints/${randomUUIDv7()}`, `/v1/deliveries/${randomUUIDv7()}`])
      assert.equal((await sendAsOperator(listeners, "GET", path)).status, 503, path);
  });
});
