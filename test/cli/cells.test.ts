/** `boathook cells` on one server, where nothing runs. Citus' part: test/service/cells-citus.faults.ts. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { query } from "../support/database.ts";
import { openShell, type Shell } from "./shell.ts";

async function openCells(t: TestContext): Promise<Shell> {
  const boathook = await openShell(t, "cells");
  boathook.environment["BOATHOOK_CELLS"] = "1";
  return boathook;
}

test("cells are added, opened and closed", async (t) => {
  const boathook = await openCells(t);
  const first = boathook.test.cells.length;
  const added = await boathook.json("add");
  assert.deepEqual(added[first], {
    number: first,
    name: String(first),
    product: null,
    server: "directory",
    open: true,
    accounts: 0,
    move: null,
  });
  await boathook.json("add", "--closed");
  const listed = await boathook("list");
  assert.match(listed.out, /^CELL +SERVER +NEW ACCOUNTS +ACCOUNTS\n0 +directory +open/);
  assert.match(listed.out, new RegExp(`^${first + 1} +directory +closed`, "m"));
  assert.equal((await boathook.json("open", String(first + 1)))[first + 1].open, true);
  assert.equal((await boathook.json("close", "0"))[0].open, false);
  assert.match((await boathook("open", "77")).err, /^There is no cell 77/);
});

test("a cell that is added closed stays so until it is opened, and references fall to open cells only", async (t) => {
  const boathook = await openCells(t);
  const number = boathook.test.cells.length;
  const joined = async () => {
    const { rows } = await query(
      boathook.test.address,
      "select number from boathook.cells where joined_at is not null order by 1",
    );
    return rows.map((row) => row.number as number);
  };
  const before = await joined();
  assert.equal((await boathook.json("add", "--closed"))[number].open, false);
  assert.equal((await boathook.json("list"))[number].open, false);
  assert.deepEqual(await joined(), before);
  assert.equal((await boathook.json("open", String(number)))[number].open, true);
  assert.deepEqual(await joined(), [...before, number]);
});

test("moves are Citus' own: without it there is nowhere to go", async (t) => {
  const boathook = await openCells(t);
  for (const words of [
    ["move", "0", "east:5432"],
    ["drain", "east:5432"],
    ["rebalance", "--dry-run"],
  ]) {
    const { status, err } = await boathook(...words);
    assert.equal(status, 2, words.join(" "));
    assert.match(err, /^The database is not Citus: all cells live on its one server/);
  }
  assert.match((await boathook("move", "77", "east:5432")).err, /^There is no cell 77/);
});

test("cells of products are named by their product, and get no accounts", async (t) => {
  const boathook = await openCells(t);
  const count = boathook.test.cells.length;
  assert.match((await boathook("list")).out, /^schedules_0 +directory +- +-$/m);
  for (const words of [
    ["open", "schedules_0"],
    ["open", "256"],
    ["close", "256"],
  ]) {
    const refused = await boathook(...words);
    assert.equal(refused.status, 1, words.join(" "));
  }
  const added = await boathook.json("add");
  assert.equal(added[count].name, String(count), "accounts have the next number");
});
