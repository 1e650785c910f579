/** Versions beside each other: nothing is migrated under a node that may not know it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { products } from "../../src/products/index.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { migrate } from "../../src/store/migrate.ts";
import { lockNode } from "../../src/store/nodes/nodes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

test("a database is not migrated while a node of an older version uses it", async (t) => {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  const cells = cellsNamed("boathook", 2);
  await migrate(address, cells, silentLog, products);
  const database = openDatabase(address, {
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
    sessionName: "boathook 7 1",
    onIdleError: () => undefined,
  });
  t.after(() => database.close());
  const node = await database.dedicated(cells[1]!, () => undefined);
  await lockNode(node, cells[1]!, 3);
  assert.deepEqual(
    (await migrate(address, cells, silentLog, products)).ran,
    [],
    "nodes of one version start",
  );
  for (const schema of ["boathook", "boathook_cell_1"]) {
    // As if this build had one more.
    const last = `(select max(name) from ${schema}.migrations)`;
    await query(address, `create table kept as select * from ${schema}.migrations where name = ${last}`);
    await query(address, `delete from ${schema}.migrations where name = ${last}`);
    await assert.rejects(
      migrate(address, cells, silentLog, products),
      (error) =>
        error instanceof StartupError && /older Boathook runs .*\(boathook 7 1\)/.test(error.message),
    );
    await query(address, `insert into ${schema}.migrations select * from kept; drop table kept`);
  }
  await node.close();
  await migrate(address, cells, silentLog, products);
});
