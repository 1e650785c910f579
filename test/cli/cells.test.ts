/** `boathook cells` on two servers, where nothing runs. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { insertAccount } from "../../src/store/accounts/accounts.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { idOf } from "../store/store-rows.ts";
import { run, settingsFor } from "./run.ts";
import { openShell, type Shell } from "./shell.ts";

/** A shell with a second server, east. */
async function openCells(t: TestContext): Promise<Shell> {
  const boathook = await openShell(t, "cells");
  const other = await createEmptyDatabase();
  t.after(other.drop);
  const { address } = other;
  const url = settingsFor({ ...boathook.test, address })["BOATHOOK_DATABASE_URL"]!;
  boathook.environment["BOATHOOK_SERVERS"] = `east=${url}`;
  boathook.environment["BOATHOOK_CELLS"] = "1";
  return boathook;
}

const placesIn = (cells: readonly { number: number; server: string }[]) =>
  cells.map(({ number, server }) => `${number} ${server}`);

test("cells are added on the server with the fewest, or on the one that is named", async (t) => {
  const boathook = await openCells(t);
  const first = boathook.test.cells.length;
  const added = await boathook.json("add");
  assert.deepEqual(added[first], {
    number: first,
    name: String(first),
    server: "east",
    open: true,
    accounts: 0,
    move: null,
  });
  await boathook.json("add", "--server", "directory", "--closed");
  const listed = await boathook("list");
  assert.match(listed.out, /^CELL +SERVER +NEW ACCOUNTS +ACCOUNTS\n0 +directory +open/);
  assert.match(listed.out, new RegExp(`^${first + 1} +directory +closed`, "m"));
  assert.equal((await boathook.json("open", String(first + 1)))[first + 1].open, true);
  assert.equal((await boathook.json("close", "0"))[0].open, false);
  for (const words of [
    ["add", "--server", "west"],
    ["open", "77"],
    ["move", "77", "east"],
    ["move", "0", "west"],
    ["drain", "west"],
  ]) {
    const { status, err } = await boathook(...words);
    assert.equal(status, 2, words.join(" "));
    assert.match(err, /^(?:There is no|Cell 0 cannot live on west)/);
  }
});

/** As a command leaves it that was killed while it copied. */
async function leaveFenced(boathook: Shell): Promise<void> {
  await query(boathook.test.address, "alter schema boathook_cell_0 rename to boathook_cell_0_moving");
  await query(boathook.test.address, "update boathook.cells set moving_to = 'east' where number = 0");
}

test("a move that was killed while it copied is undone, or goes on, by the next command", async (t) => {
  const boathook = await openCells(t);
  await leaveFenced(boathook);
  const [left] = await boathook.json("list");
  assert.deepEqual([left.server, left.move], ["directory", "to east"]);
  const [undone] = await boathook.json("move", "0", "directory");
  assert.deepEqual([undone.server, undone.move], ["directory", null]);
  await leaveFenced(boathook);
  const [moved] = await boathook.json("move", "0", "east");
  assert.deepEqual([moved.server, moved.move], ["east", null]);
});

test("a server that cannot be reached is said to be that, and named", async (t) => {
  const boathook = await openCells(t);
  boathook.environment["BOATHOOK_SERVERS"] = "east=postgres://127.0.0.1:1/none";
  const gone = "the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1.";
  for (const [words, said] of [
    [["add", "--server", "east"], `The server east cannot be used: ${gone}`],
    [["move", "0", "east"], `The move of cell 0 has not ended: ${gone}`],
  ] as const) {
    const { status, err } = await boathook(...words);
    assert.equal(status, 1, err);
    assert.ok(err.includes(said), err);
  }
});

test("a list of failing endpoints names the cell whose server is gone, and ends with 1", async (t) => {
  const boathook = await openCells(t);
  const number = boathook.test.cells.length;
  assert.equal((await boathook("add", "--server", "east")).status, 0);
  const failing = () => run(["endpoints", "list", "--failing"], { environment: boathook.environment });
  assert.deepEqual([(await failing()).status, (await failing()).err], [0, ""]);
  boathook.environment["BOATHOOK_SERVERS"] = "east=postgres://127.0.0.1:1/none";
  const { status, out, err } = await failing();
  assert.equal(status, 1, err);
  assert.match(out, /^ACCOUNT /);
  assert.ok(err.includes(`these cells do not answer: ${number}.`), err);
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

test("a cell moves with its accounts, and its progress is reported as it goes", async (t) => {
  const boathook = await openCells(t);
  const { database, cells } = boathook.test;
  const account = { id: idOf(1), name: "Acme", entitlements: [], demurrageAlerting: false, cell: 0 };
  await insertAccount(database, cells[0]!, { ...account, createdAt: new Date(0) });
  const { status, err } = await boathook("move", "0", "east");
  assert.equal(status, 0, err);
  assert.match(err, /^cell 0: its tables are made on the new server\ncell 0: statements wait\n/);
  assert.match(err, /copied accounts: 1 rows\n/);
  assert.match(err, /cell 0: the old copy is dropped\ncell 0: it lives on east now\n$/);
  assert.match((await boathook("move", "0", "east")).err, /cell 0: it lives on east\n$/);
  assert.deepEqual(placesIn(await boathook.json("list"))[0], "0 east");
  assert.equal((await boathook.json("list"))[0].accounts, 1);
  assert.equal((await boathook("move", "0", "directory")).status, 0);
});

test("rebalance and drain move the fewest cells, and say so first where they are asked to", async (t) => {
  const boathook = await openCells(t);
  const ofAccounts = async () =>
    (await boathook.json("list")).filter(({ number }: { number: number }) => number < 256);
  while ((await ofAccounts()).length < 4) await boathook("add", "--server", "directory");
  const planned: { readonly cell: string }[] = await boathook.json("rebalance", "--dry-run");
  const plan = planned.filter(({ cell }) => /^\d+$/.test(cell));
  assert.equal(plan.length, 2);
  assert.deepEqual(plan[0], { cell: "0", from: "directory", to: "east" });
  const counts = async () => Object.groupBy(await ofAccounts(), ({ server }: { server: string }) => server);
  assert.equal((await counts())["directory"]?.length, 4, "nothing has moved");
  await boathook.json("rebalance");
  assert.deepEqual([(await counts())["directory"]?.length, (await counts())["east"]?.length], [2, 2]);
  assert.equal((await boathook("drain", "east")).status, 0);
  assert.equal((await counts())["directory"]?.length, 4);
  assert.equal((await boathook.json("drain", "east", "--dry-run")).length, 0);
});

test("cells of products are named by their product, move by that name, and get no accounts", async (t) => {
  const boathook = await openCells(t);
  const count = boathook.test.cells.length;
  const listed = await boathook("list");
  assert.match(listed.out, /^schedules_0 +directory +- +-$/m);
  const { status, err } = await boathook("move", "schedules_0", "east");
  assert.equal(status, 0, err);
  assert.match(err, /cell schedules_0: it lives on east now\n$/);
  const placed = async () =>
    (await boathook.json("list")).map(
      ({ name, server }: { name: string; server: string }) => `${name} ${server}`,
    );
  assert.ok((await placed()).includes("schedules_0 east"));
  assert.ok((await placed()).includes("rates_0 directory"));
  assert.match(
    (await boathook("drain", "east", "--dry-run")).out,
    /^schedules_0 +east +directory$/m,
    "a drained server holds none of them",
  );
  for (const words of [
    ["open", "schedules_0"],
    ["open", "256"],
    ["close", "256"],
    ["move", "schedules_9", "east"],
  ]) {
    const refused = await boathook(...words);
    assert.equal(refused.status, 2, words.join(" "));
  }
  const added = await boathook.json("add");
  assert.equal(added[count].name, String(count), "accounts have the next number");
});
