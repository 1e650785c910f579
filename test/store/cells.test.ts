import assert from "node:assert/strict";
import { describe, test, after as afterAll, before } from "node:test";

import fc from "fast-check";

import { planMoves, type PlacedCell } from "../../src/store/homes/plan-moves.ts";
import { onShards } from "../../src/store/shards/on-shards.ts";
import { guardShards } from "../../src/store/shards/shards.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { insertAccount } from "../../src/store/accounts/accounts.ts";
import { addMissingCells } from "../../src/store/homes/cells.ts";
import { cellList } from "../../src/store/homes/cells.sql.ts";
import { queryText } from "../support/query-text.ts";
import { dateOf, idOf } from "./store-rows.ts";
import { cellOfKey } from "../../src/store/cell-of-key.ts";
import { forAll } from "../support/runs.ts";

const cellOf = (number: number, server: string, accounts = 0): PlacedCell => ({ number, server, accounts });

describe("moves of cells", () => {
  test("are refused where nowhere is left to go", () =>
    assert.throws(() => planMoves([cellOf(0, "a")], ["a"], ["a"]), /no other server is left/));

  test("leave servers even, and move no cell twice", () => {
    const servers = ["a", "b", "c", "d"];
    const placed = fc.array(fc.constantFrom(...servers), { maxLength: 30 });
    forAll(100, placed, fc.subarray(servers, { maxLength: 3 }), (where, drained) => {
      const cells = where.map((server, number) => cellOf(number, server, number % 5));
      const moves = planMoves(cells, servers, drained);
      const after = new Map(cells.map(({ number, server }) => [number, server]));
      for (const { cell: number, from, to } of moves) {
        assert.equal(after.get(number), from);
        after.set(number, to);
      }
      assert.equal(new Set(moves.map((move) => move.cell)).size, moves.length);
      const counts = servers
        .filter((server) => !drained.includes(server))
        .map((server) => [...after.values()].filter((one) => one === server).length);
      assert.equal(
        counts.reduce((sum, one) => sum + one, 0),
        cells.length,
      );
      assert.ok(Math.max(...counts) - Math.min(...counts) < 2);
    });
  });
});

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

describe("the list of cells", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 2 });
    await addMissingCells(on.database, on.cells[0]!, 2, dateOf(0));
    for (const [id, cell] of [0, 0, 0, 1].entries()) await insert(id, cell);
  });
  afterAll(() => on.drop());

  const insert = (id: number, cell: number) =>
    insertAccount(on.database, on.cells[cell]!, {
      ...{ id: idOf(id), name: "A", entitlements: [], demurrageAlerting: false, cell, createdAt: dateOf(id) },
    });

  const ofAccounts = async () =>
    (await cellList(on.database, on.cells[0]!)).filter(({ kind }) => kind === "cell");
  const counts = async () => (await ofAccounts()).map(({ number, accounts }) => [number, accounts]);

  test("counts the accounts of each as they come, move and go", async () => {
    assert.deepEqual(await counts(), [
      [0, 3],
      [1, 1],
    ]);
    await query(on.address, "update boathook.accounts set cell = 1 where id in ($1, $2)", [idOf(0), idOf(1)]);
    await query(on.address, "delete from boathook.accounts where id = $1", [idOf(3)]);
    assert.deepEqual(await counts(), [
      [0, 1],
      [1, 2],
    ]);
  });

  test("takes no time of the accounts, however many they are: every node reads it every few seconds", async () => {
    const plan = await query(
      on.address,
      `explain ${queryText("store/homes/cells.sql", "cell_list", on.cells[0]!)}`,
    );
    assert.doesNotMatch(JSON.stringify(plan.rows), / on accounts|accounts_/);
  });
});

const COUNTS = fc.integer({ min: 1, max: 200 });

test("every key falls to a cell that there is, always the same", () =>
  forAll(100, fc.string(), COUNTS, (key, count) => {
    const number = cellOfKey(key, count);
    assert.ok(Number.isInteger(number) && number >= 0 && number < count, `${number}`);
    assert.equal(cellOfKey(key, count), number);
  }));

test("with one cell more, a key stays or falls to the new one", () =>
  forAll(100, fc.string(), COUNTS, (key, count) => {
    const after = cellOfKey(key, count + 1);
    assert.ok(after === cellOfKey(key, count) || after === count, `${after}`);
  }));

test("cells share alike in keys that differ little", () => {
  const keys = Array.from({ length: 50_000 }, (_, serial) => `MSCU${1_000_000 + serial}`);
  for (const count of [2, 8, 100]) {
    const shares = Map.groupBy(keys, (key) => cellOfKey(key, count));
    assert.equal(shares.size, count);
    const even = keys.length / count;
    for (const [number, share] of shares) {
      // Six standard deviations.
      const apart = Math.abs(share.length - even);
      assert.ok(apart < 6 * Math.sqrt(even), `${number} of ${count} has ${share.length}, not ${even}`);
    }
  }
});

test("what is stored is found by every later build", () => {
  const placed = ["CSQU3054383", "MSCU1234566", "17612345675", "IMO9321483", "HRN0040001"].map((key) =>
    [2, 8, 100].map((count) => cellOfKey(key, count)),
  );
  assert.deepEqual(placed, [
    [1, 1, 42],
    [1, 7, 24],
    [1, 3, 57],
    [0, 0, 60],
    [0, 2, 20],
  ]);
});
