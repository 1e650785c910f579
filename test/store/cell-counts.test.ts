/** The directory's list of cells: how many accounts live in each. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { insertAccount } from "../../src/store/accounts/accounts.ts";
import { addMissingCells } from "../../src/store/homes/cells.ts";
import { cellList } from "../../src/store/homes/cells.sql.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { queryText } from "../support/query-text.ts";
import { dateOf, idOf } from "./store-rows.ts";

describe("the list of cells", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 2 });
    await addMissingCells(on.database, on.cells[0]!, 2, dateOf(0));
    for (const [id, cell] of [0, 0, 0, 1].entries()) await insert(id, cell);
  });
  after(() => on.drop());

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
