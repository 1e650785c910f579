import assert from "node:assert/strict";
import { test } from "node:test";

import { onShards } from "../../src/store/shards/on-shards.ts";
import { guardShards } from "../../src/store/shards/shards.ts";
import { createTestDatabase } from "../support/database.ts";

const SHARDS = new Map([
  ["queue", "queue_102001"],
  ["nodes", "nodes_102002"],
]);

for (const [what, statement, expected = statement] of [
  [
    "without an alias",
    "select queue.node from cell.queue",
    "select queue.node from cell.queue_102001 as queue",
  ],
  [
    "with one",
    "select from cell.queue q join cell.nodes as n on true",
    "select from cell.queue_102001 q join cell.nodes_102002 as n on true",
  ],
  [
    "before a clause",
    "delete from cell.queue\n-- why\nusing cell.nodes where true",
    "delete from cell.queue_102001 as queue\n-- why\nusing cell.nodes_102002 as nodes where true",
  ],
  [
    "to insert into",
    "insert into cell.queue (node) select 1",
    "insert into cell.queue_102001 as queue (node) select 1",
  ],
  ["that has no shard", "select cell.first_id_of($1) from cell.other"],
  ["in a string, or of another schema", "select 'cell.queue' from directory.queue"],
  ["behind a column of that name", "select a.cell.queue from a"],
] as [string, string, string?][]) {
  test(`a statement names the shard of a table ${what}`, () =>
    assert.equal(onShards(statement, SHARDS), expected));
}

test("a cell that is not distributed has no shards, and no statement of it changes", async (t) => {
  const { database, cells, drop } = await createTestDatabase();
  t.after(drop);
  const shards = await guardShards(database, cells[0]!);
  assert.equal(shards.size, 0);
  assert.equal(onShards("select from cell.queue", shards), "select from cell.queue");
});
