import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { publishInvalidation } from "../../src/store/endpoints/invalidations.ts";
import type { Connection } from "../../src/store/database.ts";
import { startHarness } from "./harness.ts";

test("a node that stops while it cannot read endpoints again leaves no timer behind", async () => {
  const on = await startHarness({}, { cells: 1 });
  const database = on.test.database as { rows: Connection["rows"] };
  const { rows } = database;
  let failures = 0;
  database.rows = async (statement, parameters) => {
    if (!/^(target_list|invalidation_latest)@/.test(statement.name)) return rows(statement, parameters);
    failures += 1;
    throw new StoreUnavailable("the database cannot be reached", { cause: null });
  };
  await publishInvalidation(on.test.database, on.cell, await on.account(), await on.account(), 0);
  await on.until(() => failures >= 3, "the change cannot be refreshed, and nothing read again");
  await on.drive(on.engine.stop());
  await on.clock.advance(60_000);
  assert.equal(on.clock.pending(), 0);
  await on.test.drop();
});

test("a node that misses change after change reads all endpoints again once a heartbeat, not once a change", async (t) => {
  const on = await startHarness({}, { cells: 1 });
  t.after(() => on.stop());
  const database = on.test.database as { rows: Connection["rows"] };
  const { rows } = database;
  let isAway = true;
  let readings = 0;
  database.rows = async (statement, parameters) => {
    if (statement.name.startsWith("invalidation_latest@")) readings += 1;
    if (!isAway || !/^(target_list|invalidation_latest)@/.test(statement.name))
      return rows(statement, parameters);
    throw new StoreUnavailable("the database cannot be reached", { cause: null });
  };
  const [account, endpoint] = [await on.account(), await on.account()];
  let last = 0;
  for (let count = 0; count < 20; count += 1) {
    last = await publishInvalidation(on.test.database, on.cell, account, endpoint, 0);
    const before = on.lines.length;
    await on.until(() => on.lines.length > before || count > 0, "the first change is missed");
  }
  const before = readings;
  await on.clock.advance(20_000);
  assert.ok(readings - before <= 5, `${readings - before} readings in four beats`);
  isAway = false;
  const seen = async () => Number((await on.sql("select seen_change as n from cell.nodes"))[0]!["n"]);
  await on.until(async () => (await seen()) >= last, "all of them, by one reading");
  await on.settle();
  const after = readings;
  await on.clock.advance(20_000);
  assert.equal(readings, after, "and not again once it is done");
});

test("a change that was missed counts as seen only once all is read again, whatever follows it", async (t) => {
  const on = await startHarness({}, { cells: 1 });
  t.after(() => on.stop());
  const database = on.test.database as { rows: Connection["rows"] };
  const { rows } = database;
  let away = /^(target_list|invalidation_latest)@/;
  const refreshed: string[] = [];
  database.rows = async (statement, parameters) => {
    if (statement.name.startsWith("target_list@")) refreshed.push(statement.name);
    if (!away.test(statement.name)) return rows(statement, parameters);
    throw new StoreUnavailable("the database cannot be reached", { cause: null });
  };
  const seen = async () => Number((await on.sql("select seen_change as n from cell.nodes"))[0]!["n"]);
  const [account, endpoint] = [await on.account(), await on.account()];
  const missed = await publishInvalidation(on.test.database, on.cell, account, endpoint, 0);
  await on.until(() => on.lines.length > 0, "the change is missed");
  away = /^invalidation_latest@/;
  const before = refreshed.length;
  const next = await publishInvalidation(on.test.database, on.cell, account, endpoint, 0);
  await on.until(() => refreshed.length > before, "the next one is refreshed");
  await on.settle();
  assert.ok((await seen()) < missed, "the node that was paused for would take it that all have seen it");
  away = /^nothing@/;
  await on.until(async () => (await seen()) >= next, "both, once all is read again");
});
